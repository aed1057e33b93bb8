// Messages of the server that come in one frame are taken in at once: the page is then drawn once for all of them.
(() => {
  "use strict";
  const STREAM = "/_stcore/stream";
  const JOINED = 0; // first byte of such a frame
  const Plain = window.WebSocket;

  // The messages of a frame: of each a tag, its length as a varint, itself.
  const apart = (bytes) => {
    const messages = [];
    for (let place = 1; place < bytes.length; ) {
      let size = 0;
      let shift = 1;
      let byte;
      place += 1;
      do {
        byte = bytes[place++];
        size += (byte & 127) * shift;
        shift *= 128;
      } while (byte > 127);
      messages.push(bytes.slice(place, (place += size)).buffer);
    }
    return messages;
  };

  const taken = (event) => {
    if (!(event.data instanceof ArrayBuffer)) return;
    const bytes = new Uint8Array(event.data);
    if (bytes[0] !== JOINED) return;
    event.stopImmediatePropagation();
    for (const data of apart(bytes)) event.target.dispatchEvent(new MessageEvent("message", { data }));
  };

  window.WebSocket = class extends Plain {
    constructor(address, ...options) {
      const url = new URL(address, location.href);
      const stream = url.pathname.endsWith(STREAM);
      if (stream) url.searchParams.set("frames", "joined");
      super(stream ? url.href : address, ...options);
      if (stream) this.addEventListener("message", taken);
    }
  };
})();
