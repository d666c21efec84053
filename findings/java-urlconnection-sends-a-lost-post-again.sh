#!/usr/bin/env bash
# Who meets it: a program in Java that starts jobs or payments with POST over HttpURLConnection, which many libraries
#   still use, while the server or a proxy in front closes the connection before it answers.
# Most expect: an exception, as the program alone knows whether a second POST does harm; so java.net.http reports it.
# Seen: HttpURLConnection sends the POST a second time by itself, and the program sees one response. The property
#   sun.net.http.retryPost=false ends that; it is a property of the machine, and no method of the class.
# Source: the list of networking properties of the JDK (sun.net.http.retryPost), which gives true as its default.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
command -v java > /dev/null || apt-get install -qy --no-install-recommends default-jdk-headless > /dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > Post.java <<'JAVA'
import java.io.*;
import java.net.*;
import java.net.http.*;

class Post {
  static int posts = 0;

  /** The first POST ends its connection without a byte; each later one is answered. */
  static void serve(ServerSocket server) {
    while (true) {
      try (var socket = server.accept()) {
        var in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        for (String line; (line = in.readLine()) != null && !line.isEmpty(); );
        if (++posts == 1) continue;
        socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes());
      } catch (IOException closed) {
        return;
      }
    }
  }

  interface Call {
    void run(URI address) throws Exception;
  }

  static String outcome(Call call) throws Exception {
    posts = 0;
    try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      var thread = new Thread(() -> serve(server));
      thread.setDaemon(true);
      thread.start();
      var end = "an answer";
      try {
        call.run(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/pay"));
      } catch (IOException lost) {
        end = "an exception";
      }
      return posts + " POST, " + end;
    }
  }

  public static void main(String[] args) throws Exception {
    var classic =
        outcome(
            address -> {
              var connection = (HttpURLConnection) address.toURL().openConnection();
              connection.setRequestMethod("POST");
              connection.setDoOutput(true);
              connection.getOutputStream().close();
              connection.getResponseCode();
            });
    var modern =
        outcome(
            address ->
                HttpClient.newHttpClient()
                    .send(
                        HttpRequest.newBuilder(address)
                            .version(HttpClient.Version.HTTP_1_1)
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                        HttpResponse.BodyHandlers.discarding()));
    System.out.println("expected: 1 POST, an exception");
    System.out.println("HttpURLConnection: " + classic);
    System.out.println("java.net.http: " + modern);
    System.exit(classic.equals("2 POST, an answer") && modern.equals("1 POST, an exception") ? 0 : 1);
  }
}
JAVA
java --version | sed -n 1p
java ${JAVA_OPTIONS:-} Post.java
