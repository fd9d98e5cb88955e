//! What a keeper of a server needs: compressed answers, health, numbers, and a path of its own.

mod common;

use std::io::Read;
use std::path::Path;

use common::{Server, agent};
use merels_serve::{Limits, Options};
use ureq::http::Response;

fn server(options: Options) -> Server {
    Server::with(Path::new("no such folder"), "three", Limits::default(), options)
}

fn get(server: &Server, address: &str, headers: &[(&str, &str)]) -> Response<ureq::Body> {
    let request = agent().get(format!("{}{address}", server.base));
    headers
        .iter()
        .fold(request, |request, (name, value)| request.header(*name, *value))
        .call()
        .unwrap()
}

fn header<'a>(response: &'a Response<ureq::Body>, name: &str) -> Option<&'a str> {
    response.headers().get(name).map(|value| value.to_str().unwrap())
}

fn body(response: &mut Response<ureq::Body>) -> Vec<u8> {
    response.body_mut().read_to_vec().unwrap()
}

fn decoded(response: &mut Response<ureq::Body>) -> String {
    let coding = header(response, "content-encoding").unwrap_or("identity").to_owned();
    let bytes = body(response);
    let bytes = match coding.as_str() {
        "identity" => bytes,
        "zstd" => zstd::decode_all(bytes.as_slice()).unwrap(),
        "gzip" => {
            let mut decoded = Vec::new();
            flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut decoded).unwrap();
            decoded
        }
        other => panic!("{other}"),
    };
    String::from_utf8(bytes).unwrap()
}

#[test]
fn answers_are_compressed_on_request() {
    let server = server(Options::default());
    for address in ["/api/position", "/assets/board.js", "/"] {
        let plain = decoded(&mut get(&server, address, &[("accept-encoding", "identity")]));
        for coding in ["gzip", "zstd"] {
            let mut response = get(&server, address, &[("accept-encoding", coding)]);
            assert_eq!(header(&response, "content-encoding"), Some(coding), "{address}");
            let vary = header(&response, "vary").unwrap().to_ascii_lowercase();
            assert!(vary.contains("accept-encoding"), "{address}: {vary}");
            assert_eq!(decoded(&mut response), plain, "{address} {coding}");
        }
        let response = get(&server, address, &[("accept-encoding", "br, gzip;q=0")]);
        assert_eq!(header(&response, "content-encoding"), None, "{address}");
        assert!(header(&response, "vary").is_some(), "{address}");
    }
}

/// A cache must not take the bytes of one coding for those of another.
#[test]
fn each_coding_has_its_own_tag() {
    let server = server(Options::default());
    let address = "/assets/board.js";
    let mut tags = Vec::new();
    for coding in ["identity", "gzip", "zstd"] {
        let response = get(&server, address, &[("accept-encoding", coding)]);
        let tag = header(&response, "etag").unwrap().to_owned();
        for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}")] {
            let headers = [("accept-encoding", coding), ("if-none-match", known.as_str())];
            let again = get(&server, address, &headers);
            assert_eq!(again.status(), 304, "{known}");
            assert_eq!(header(&again, "etag"), Some(tag.as_str()));
            assert_eq!(header(&again, "vary"), Some("accept-encoding"));
        }
        tags.push(tag);
    }
    for (coding, tag) in [("identity", &tags[1]), ("gzip", &tags[2]), ("zstd", &tags[0])] {
        let headers = [("accept-encoding", coding), ("if-none-match", tag.as_str())];
        assert_eq!(get(&server, address, &headers).status(), 200, "{coding} {tag}");
    }
}

#[test]
fn heads_of_answers() {
    let mut options = Options::default();
    options.metrics = true;
    let server = server(options);
    let addresses =
        ["/", "/assets/board.js", "/api/position", "/api/fnord", "/healthz", "/metrics"];
    for address in addresses {
        for coding in ["identity", "gzip"] {
            let url = format!("{}{address}", server.base);
            let mut head = agent().head(url).header("accept-encoding", coding).call().unwrap();
            let whole = get(&server, address, &[("accept-encoding", coding)]);
            assert_eq!(head.status(), whole.status(), "{address}");
            for name in ["content-type", "content-encoding", "etag", "cache-control"] {
                assert_eq!(header(&head, name), header(&whole, name), "{address} {coding} {name}");
            }
            assert_eq!(header(&head, "cross-origin-resource-policy"), Some("same-origin"));
            if coding == "identity" && address != "/metrics" {
                let name = "content-length";
                assert_eq!(header(&head, name), header(&whole, name), "{address}");
            }
            assert!(body(&mut head).is_empty(), "{address}");
        }
    }
}

/// A container's probe has any name for the server, or none.
#[test]
fn health() {
    let server = Server::with(
        Path::new("no such folder"),
        "three",
        Limits { look_ups: 0, long_look_ups: 0, ..Limits::default() },
        Options::default(),
    );
    for headers in ["Host: localhost\r\n", "Host: merels.pod.internal\r\n", "Host: \r\n", ""] {
        assert_eq!(server.status("/healthz", headers), 200, "{headers:?}");
    }
    assert!(server.raw("GET /healthz HTTP/1.0\r\n\r\n").ends_with("\r\n\r\nok"));
    assert_eq!(body(&mut get(&server, "/healthz", &[])), b"ok");
    assert_eq!(
        agent().post(format!("{}/healthz", server.base)).send_empty().unwrap().status(),
        405
    );
}

#[test]
fn numbers_for_prometheus() {
    let mut options = Options::default();
    options.metrics = true;
    options.set_base("/mill/").unwrap();
    let shown = server(options);
    for (address, status) in [
        ("/mill/api/position", 200),
        ("/mill/api/position?fen=x", 400),
        ("/mill/assets/main.js", 200),
        ("/mill/fnord", 404),
        ("/mill/api/fnord", 404),
        ("/fnord", 404),
    ] {
        assert_eq!(get(&shown, address, &[]).status(), status, "{address}");
    }
    assert_eq!(shown.status("/mill/api/rules", "Host: evil.net\r\n"), 421);
    let mut response = get(&shown, "/mill/metrics", &[]);
    assert!(header(&response, "content-type").unwrap().starts_with("text/plain; version=0.0.4"));
    let text = String::from_utf8(body(&mut response)).unwrap();
    for line in [
        r#"merels_requests_total{address="/api/position",status="200"} 1"#,
        r#"merels_requests_total{address="/api/position",status="400"} 1"#,
        r#"merels_requests_total{address="/assets/{name}",status="200"} 1"#,
        r#"merels_requests_total{address="/api/rules",status="421"} 1"#,
        r#"merels_requests_total{address="other",status="404"} 3"#,
        r#"merels_request_duration_seconds_count{address="/api/position"} 2"#,
        r#"merels_connections_refused_total 0"#,
        r#"merels_look_ups_running{kind="look-up"} 0"#,
        r#"merels_look_ups_waiting{kind="long"} 0"#,
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}\n{text}");
    }
    assert!(text.contains("\nmerels_connections "), "{text}");
    // Only on request.
    assert_eq!(get(&server(Options::default()), "/metrics", &[]).status(), 404);
}

#[test]
fn everything_is_below_the_base() {
    for base in ["/mill/", "/games/mill/"] {
        let mut options = Options::default();
        options.set_base(base.trim_matches('/')).unwrap();
        assert_eq!(options.base(), base);
        let server = server(options);
        for address in ["", "assets/main.js", "api/position", "healthz"] {
            assert_eq!(get(&server, &format!("{base}{address}"), &[]).status(), 200, "{address}");
            if !address.is_empty() {
                assert_eq!(get(&server, &format!("/{address}"), &[]).status(), 404, "{address}");
            }
        }
        assert_eq!(get(&server, "/", &[]).status(), 404);
        let mut unknown = get(&server, &format!("{base}api/fnord"), &[]);
        assert_eq!(unknown.status(), 404);
        assert!(String::from_utf8(body(&mut unknown)).unwrap().contains(r#""kind":"address""#));
        let address = format!("{}{}", server.base, base.trim_end_matches('/'));
        let config = ureq::Agent::config_builder().max_redirects(0).http_status_as_error(false);
        let agent: ureq::Agent = config.build().into();
        let moved = agent.get(address.as_str()).call().unwrap();
        assert_eq!((moved.status().as_u16(), header(&moved, "location")), (308, Some("mill/")));
        // Clients follow it to the page.
        let page = common::agent().get(&address).call().unwrap().body_mut().read_to_string();
        assert!(page.unwrap().contains("<title>merels</title>"));
    }
}

/// A proxy may serve the page below any path, so the page names no path from the root.
#[test]
fn the_page_has_relative_addresses_only() {
    let server = server(Options::default());
    let text = |address: &str| String::from_utf8(body(&mut get(&server, address, &[]))).unwrap();
    let page = text("/");
    let names = page.split(['"', '\'']).filter(|part| part.starts_with("assets/"));
    let names: Vec<_> = names.collect();
    assert!(names.len() > 3, "{names:?}");
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for entry in assets.read_dir().unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        // The end of an element is no address.
        let text = text.replace("\"/>", "\">");
        for absolute in ["\"/", "'/", "`/", "url(/"] {
            assert!(!text.contains(absolute), "{absolute} in {text}");
        }
    }
}

#[test]
fn the_root_of_the_interface_leads_to_its_description() {
    let server = Server::start("three");
    for address in ["/api", "/api/"] {
        let mut response = agent().get(format!("{}{address}", server.base)).call().unwrap();
        assert_eq!(response.status(), 200, "{address}");
        let link = response.headers()["link"].to_str().unwrap().to_owned();
        assert_eq!(link, "</api/openapi.json>; rel=\"service-desc\"");
        let body: serde_json::Value =
            serde_json::from_str(&response.body_mut().read_to_string().unwrap()).unwrap();
        let description = body["description"].as_str().unwrap().to_owned();
        let found = agent().get(format!("{}{description}", server.base)).call().unwrap();
        assert_eq!(found.status(), 200);
    }
}
