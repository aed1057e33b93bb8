# Three stages: the first installs the hashed lock and packs the probe, the second builds the
# documentation, the third carries only what runs. No torch.
FROM python:3.11-slim AS build
COPY requirements/app.txt /tmp/app.txt
RUN python -m venv /opt/venv \
 && /opt/venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r /tmp/app.txt
COPY tools/trim.sh /tmp/trim.sh
RUN sh /tmp/trim.sh /opt/venv
WORKDIR /src
COPY tools/build_probe.py tools/build_probe.py
COPY core core
COPY gpu_probe gpu_probe
RUN python tools/build_probe.py

FROM build AS docs
COPY requirements/docs.txt /tmp/docs.txt
RUN python -m pip --python /opt/venv/bin/python install --no-cache-dir --disable-pip-version-check --require-hashes -r /tmp/docs.txt
COPY . /src
RUN /opt/venv/bin/python -m tools.docs

FROM python:3.11-slim
LABEL org.opencontainers.image.title="Wirespeed" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/venv /opt/venv
COPY .streamlit /app/.streamlit
COPY app.py /app/app.py
COPY core /app/core
COPY db /app/db
COPY gpu_probe /app/gpu_probe
COPY pages /app/pages
COPY --from=build /src/build/wirespeed-probe.pyz /app/wirespeed-probe.pyz
COPY docs/GLOSSARY.md /app/docs/GLOSSARY.md
COPY --from=docs /src/build/site /app/site
RUN mkdir /data && chown 10001:10001 /data
WORKDIR /app
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=8501 \
    WIRESPEED_DATA_DIR=/data
VOLUME /data
EXPOSE 8501
USER 10001:10001
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/healthz', timeout=4)"]
CMD ["sh", "-c", "exec streamlit run app.py --server.address \"$HOST\" --server.port \"$PORT\""]
