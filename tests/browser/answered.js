// Notes when a page last asked its server to run the script, when the server last said that a run has ended, and how
// many frames of several messages came.
(() => {
  const RERUN_SCRIPT = 11, SCRIPT_FINISHED = 6;  // fields of Streamlit's BackMsg and ForwardMsg
  const EARLY_FOR_RERUN = 2;  // how a run ends that another one follows at once
  const runs = window.runs = {asked: 0, ended: 0, joined: 0};

  const varint = (bytes, place) => {
    let value = 0, shift = 1;
    for (;;) {
      const byte = bytes[place++];
      value += (byte & 127) * shift;
      shift *= 128;
      if (byte < 128) return [value, place];
    }
  };
  // A number, or the length of what is not one; undefined where the message has no such field.
  const read = (bytes, field) => {
    for (let place = 0; place < bytes.length;) {
      let tag, size;
      [tag, place] = varint(bytes, place);
      if (tag % 8 !== 2 && tag % 8 !== 0) return undefined;
      [size, place] = varint(bytes, place);
      if (Math.floor(tag / 8) === field) return size;
      place += tag % 8 === 2 ? size : 0;
    }
    return undefined;
  };
  // A frame of several messages begins with a zero; each of them is then heard alone.
  const ended = (bytes) => bytes[0] !== 0 && ![undefined, EARLY_FOR_RERUN].includes(read(bytes, SCRIPT_FINISHED));

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...options) {
      super(...options);
      this.addEventListener("message", ({data}) => {
        if (!(data instanceof ArrayBuffer)) return;
        const bytes = new Uint8Array(data);
        if (bytes[0] === 0) runs.joined += 1;
        if (ended(bytes)) runs.ended = performance.now();
      });
    }

    send(data) {
      if (data instanceof Uint8Array && read(data, RERUN_SCRIPT) !== undefined) runs.asked = performance.now();
      return super.send(data);
    }
  };
})();
