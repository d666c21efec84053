# Varnish before Assay, behind a server that speaks TLS on the same machine: /etc/varnish/default.vcl.
# docs/how-to/put-a-proxy-in-front.md says why each line is there.
vcl 4.1;

backend assay {
  .host = "127.0.0.1";
  .port = "4000";
  .first_byte_timeout = 1h;
  .between_bytes_timeout = 1h;
}

acl speaks_tls {
  "127.0.0.1";
}

sub vcl_recv {
  if (client.ip !~ speaks_tls) {
    set req.http.X-Forwarded-For = client.ip;
    unset req.http.X-Forwarded-Proto;
  }
  if (req.http.Upgrade ~ "(?i)^websocket$") {
    return (pipe);
  }
  if (req.url !~ "^/assets/") {
    return (pass);
  }
}

sub vcl_pipe {
  set bereq.http.Upgrade = req.http.Upgrade;
  set bereq.http.Connection = "Upgrade";
}
