// Notes when a page last asked its server to run the script, and when the server last said that a run has ended.
(() => {
  const RERUN_SCRIPT = 11, SCRIPT_FINISHED = 6;  // fields of Streamlit's BackMsg and ForwardMsg
  const runs = window.runs = {asked: 0, ended: 0};

  const varint = (bytes, place) => {
    let value = 0, shift = 1;
    for (;;) {
      const byte = bytes[place++];
      value += (byte & 127) * shift;
      shift *= 128;
      if (byte < 128) return [value, place];
    }
  };
  const has = (bytes, field) => {
    for (let place = 0; place < bytes.length;) {
      let tag, size;
      [tag, place] = varint(bytes, place);
      if (Math.floor(tag / 8) === field) return true;
      if (tag % 8 !== 2 && tag % 8 !== 0) return false;
      [size, place] = varint(bytes, place);
      place += tag % 8 === 2 ? size : 0;
    }
    return false;
  };

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...options) {
      super(...options);
      this.addEventListener("message", ({data}) => {
        if (data instanceof ArrayBuffer && has(new Uint8Array(data), SCRIPT_FINISHED)) runs.ended = performance.now();
      });
    }

    send(data) {
      if (data instanceof Uint8Array && has(data, RERUN_SCRIPT)) runs.asked = performance.now();
      return super.send(data);
    }
  };
})();
