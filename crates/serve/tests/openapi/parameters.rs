//! Every parameter of the document is one of the address, and means what the document says.

use serde_json::{Value, json};

use crate::common::Server;
use crate::document::Document;

/// A value that an address of the game `three` understands.
fn example(parameter: &Value) -> String {
    let schema = &parameter["schema"];
    if let Some(first) = schema["enum"].get(0) {
        return text(first);
    }
    let example = match parameter["name"].as_str().unwrap() {
        "fen" | "position" => "w:a1 b: move:b hand:2,3",
        "moves" => "b2",
        "subspace" => "3-3",
        "min" => "1",
        "max" => "9",
        "sample" => "10",
        "points" => "0",
        "seed" => "4294967295",
        other => panic!("no example of {other}"),
    };
    example.to_owned()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The parameters that an address needs, and this one.
fn with<'a>(
    needed: &'a [(String, String)],
    name: &'a str,
    value: &'a str,
) -> Vec<(&'a str, &'a str)> {
    let others = needed.iter().filter(|(needed, _)| needed != name);
    others.map(|(name, value)| (name.as_str(), value.as_str())).chain([(name, value)]).collect()
}

#[test]
fn parameters_are_as_described() {
    let server = Server::start("three");
    let document = Document::of(&server);
    let get = document.operations().filter(|operation| operation.method == "get");
    for operation in get {
        let name = operation.name;
        let parameters = operation.value["parameters"].as_array().unwrap();
        let required = parameters.iter().filter(|parameter| parameter["required"] == true);
        let needed: Vec<_> =
            required.map(|parameter| (text(&parameter["name"]), example(parameter))).collect();
        for parameter in parameters {
            let key = text(&parameter["name"]);
            let is_refused = |value: &str| {
                let (status, answer) = server.get(name, &with(&needed, &key, value));
                let kind = &answer["error"]["kind"];
                status == 400 && (kind == "parameters" || kind == "request")
            };
            assert!(!is_refused(&example(parameter)), "{name}?{key}");
            assert!(parameter["description"].as_str().is_some_and(|it| !it.is_empty()), "{key}");
            let schema = &parameter["schema"];
            // The limits are those that the document says.
            if schema["type"] == "integer" {
                let limit = |name: &str| schema[name].to_string().parse::<i128>().unwrap();
                let (least, most) = (limit("minimum"), limit("maximum"));
                for inside in [least, most] {
                    assert!(!is_refused(&inside.to_string()), "{name}?{key}={inside}");
                }
                for outside in [least - 1, most + 1] {
                    assert!(is_refused(&outside.to_string()), "{name}?{key}={outside}");
                }
                assert!(is_refused("x"), "{name}?{key}");
            }
            for word in schema["enum"].as_array().into_iter().flatten() {
                assert!(!is_refused(&text(word)), "{name}?{key}={word}");
            }
            if schema["enum"].is_array() {
                assert!(is_refused("fnord"), "{name}?{key}");
            }
            // The default changes nothing; the seed makes answers comparable.
            if let Some(default) = schema.get("default") {
                let seeds = parameters.iter().any(|parameter| parameter["name"] == "seed");
                let seed = seeds.then(|| ("seed".to_owned(), "7".to_owned()));
                let fixed: Vec<_> = needed.iter().cloned().chain(seed).collect();
                let given = text(default);
                let without: Vec<_> =
                    fixed.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                assert_eq!(
                    server.get(name, &with(&fixed, &key, &given)),
                    server.get(name, &without),
                    "{name}?{key}={given}"
                );
            }
        }
        for (required, _) in &needed {
            let others: Vec<_> = needed.iter().filter(|(other, _)| other != required).collect();
            let others: Vec<_> =
                others.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let (status, kind, message) = server.error(name, &others);
            assert_eq!((status, kind.as_str()), (400, "parameters"), "{name}: {message}");
        }
        let (status, kind, message) = server.error(name, &with(&needed, "fnord", "1"));
        assert_eq!((status, kind.as_str()), (400, "parameters"), "{name}: {message}");
        // The message lists the fields of the handler: all of them are described.
        for field in message.split('`').skip(3).step_by(2) {
            let found = parameters.iter().any(|parameter| parameter["name"] == field);
            assert!(found, "{name}?{field} is not described");
        }
    }
}

/// The server accepts and refuses the bodies that the schema accepts and refuses.
#[test]
fn bodies_are_as_described() {
    let server = Server::start("three");
    let document = Document::of(&server);
    let post = document.operations().filter(|operation| operation.method == "post");
    for operation in post {
        let body = &operation.value["requestBody"];
        assert_eq!(body["required"], true);
        let mut schema = body["content"]["application/json"]["schema"].clone();
        schema["components"] = document.text["components"].clone();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        for body in [
            json!({ "game": "1. a1 b3" }),
            json!({ "game": "1. a1 b3", "points": 0 }),
            json!({ "game": "1. a1 b3", "points": 1 }),
            json!({ "game": "1. a1 b3", "points": 2 }),
            json!({ "game": "1. a1 b3", "points": "0" }),
            json!({ "game": "1. a1 b3", "points": null }),
            json!({ "game": "1. a1 b3", "points": -1 }),
            json!({ "game": "1. a1 b3", "fnord": 1 }),
            json!({ "game": null }),
            json!({ "points": 0 }),
            json!({}),
            json!(["1. a1 b3"]),
            json!("1. a1 b3"),
            json!(null),
        ] {
            let (status, answer) =
                server.post(operation.name, "application/json", &body.to_string());
            assert_eq!(status == 200, validator.is_valid(&body), "{body}: {answer}");
        }
    }
}
