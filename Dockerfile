# Stages: `packages` installs the hashed lock, `docs` builds the documentation, `build` trims the packages
# and compiles what runs; the last one carries only that, without torch. `--target probe` is for GPU nodes.
ARG PROBE_BASE=docker.io/pytorch/pytorch:latest

FROM python:3.11-slim AS packages
COPY requirements/app.txt /tmp/app.txt
RUN python -m venv /opt/venv \
 && /opt/venv/bin/python -m pip install --no-cache-dir --no-compile --disable-pip-version-check --require-hashes -r /tmp/app.txt

FROM packages AS docs
COPY requirements/docs.txt /tmp/docs.txt
RUN /opt/venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r /tmp/docs.txt
WORKDIR /src
COPY . /src
RUN /opt/venv/bin/python -m tools.docs

FROM packages AS build
COPY tools/trim.sh /tmp/trim.sh
RUN sh /tmp/trim.sh /opt/venv
WORKDIR /app
COPY .streamlit .streamlit
COPY app.py app.py
COPY core core
COPY db db
COPY gpu_probe gpu_probe
COPY pages pages
COPY tools/build_probe.py tools/build_probe.py
COPY tools/compile_used.py tools/compile_used.py
RUN PYTHONDONTWRITEBYTECODE=1 python tools/build_probe.py \
 && mv build/wirespeed-probe.pyz wirespeed-probe.pyz \
 && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/app /opt/venv/bin/python tools/compile_used.py \
 && rm -rf build tools
COPY requirements/app.txt /tmp/app.txt
COPY tools/sbom.py /tmp/sbom.py
ARG VERSION=0.3.0
ARG REVISION=unknown
RUN PYTHONDONTWRITEBYTECODE=1 /opt/venv/bin/python /tmp/sbom.py --lock /tmp/app.txt --installed \
    --version "$VERSION" --revision "$REVISION" >/app/sbom.cdx.json

# The probe beside the torch, CUDA and NCCL of the base: what is measured is what jobs use.
FROM ${PROBE_BASE} AS probe
ARG VERSION=0.3.0
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="Wirespeed probe" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
COPY --from=build /app/wirespeed-probe.pyz /opt/wirespeed-probe.pyz
WORKDIR /work
ENTRYPOINT ["python", "/opt/wirespeed-probe.pyz"]
CMD ["--help"]

FROM python:3.11-slim
ARG VERSION=0.3.0
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="Wirespeed" \
      org.opencontainers.image.description="What an interconnect costs a model, and whether a measured number is right" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
COPY --from=build /opt/venv /opt/venv
COPY --from=build /app /app
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
CMD ["python", "app.py"]
