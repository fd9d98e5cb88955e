//! The document, and the schemas of its answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::common::{Server, agent};

/// The document of a server.
pub(crate) struct Document {
    pub(crate) text: Value,
    /// For each address, method and status.
    responses: BTreeMap<(String, String, u16), Validator>,
}

/// An address of the document.
pub(crate) struct Operation<'a> {
    /// Without the slash in front.
    pub(crate) name: &'a str,
    pub(crate) method: &'a str,
    pub(crate) value: &'a Value,
}

impl Document {
    pub(crate) fn of(server: &Server) -> Self {
        let text = server.answer("openapi.json", &[]);
        let mut strict = text["components"].clone();
        refuse_other_fields(&mut strict);
        let mut responses = BTreeMap::new();
        for operation in operations(&text) {
            for (status, response) in operation.value["responses"].as_object().unwrap() {
                let mut schema = response["content"]["application/json"]["schema"].clone();
                schema["components"] = strict.clone();
                let validator = jsonschema::draft202012::new(&schema).unwrap();
                let (name, method) = (operation.name.to_owned(), operation.method.to_owned());
                responses.insert((name, method, status.parse().unwrap()), validator);
            }
        }
        Self { text, responses }
    }

    pub(crate) fn operations(&self) -> impl Iterator<Item = Operation<'_>> {
        operations(&self.text)
    }

    /// Checks that the document describes this answer of an address.
    #[track_caller]
    pub(crate) fn check(&self, name: &str, method: &str, status: u16, answer: &Value) {
        let key = (name.to_owned(), method.to_owned(), status);
        let validator = self.responses.get(&key);
        let validator = validator.unwrap_or_else(|| panic!("{key:?} is not described: {answer}"));
        let faults: Vec<_> = validator
            .iter_errors(answer)
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{key:?}: {faults:#?}\n{answer:#}");
    }
}

fn operations(document: &Value) -> impl Iterator<Item = Operation<'_>> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths.flat_map(|(path, methods)| {
        methods.as_object().unwrap().iter().map(move |(method, value)| Operation {
            name: path.strip_prefix('/').unwrap(),
            method,
            value,
        })
    })
}

/// The document allows more fields, for later versions. A test must know all of them.
fn refuse_other_fields(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.contains_key("properties")
                && fields.get("type") == Some(&json!("object"))
                && !fields.contains_key("additionalProperties")
            {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
            fields.values_mut().for_each(refuse_other_fields);
        }
        Value::Array(elements) => elements.iter_mut().for_each(refuse_other_fields),
        _ => {}
    }
}

#[test]
fn every_address_exists_and_is_explained() {
    let server = Server::start("three");
    let document = Document::of(&server);
    let mut described = BTreeSet::new();
    for Operation { name, method, .. } in document.operations() {
        let address = format!("{}/api/{name}", server.base);
        let status = match method {
            "get" => agent().get(&address).call().unwrap().status(),
            _ => agent().post(&address).send_empty().unwrap().status(),
        };
        assert!(![404, 405].contains(&status.as_u16()), "{method} {name}: {status}");
        let other = match method {
            "get" => agent().post(&address).send_empty().unwrap().status(),
            _ => agent().get(&address).call().unwrap().status(),
        };
        assert_eq!(other, 405, "{name}");
        described.insert(format!("{} /api/{name}", method.to_uppercase()));
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/http-api.md");
    let page = fs::read_to_string(page).unwrap();
    let headings = page.lines().filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`'));
    // Two addresses for the server's keeper are beside the API.
    let headings = headings.filter(|heading| heading.contains(" /api/"));
    assert_eq!(headings.map(str::to_owned).collect::<BTreeSet<_>>(), described);
    // Every kind of error, too.
    let kinds = &document.text["components"]["schemas"]["ErrorFields"]["properties"]["kind"];
    for kind in kinds["enum"].as_array().unwrap() {
        assert!(page.contains(&format!("`{}`", kind.as_str().unwrap())), "{kind}");
    }
}

/// Client generators read the document: its schemas are valid, and everything has a description.
#[test]
fn it_is_complete() {
    let document = Document::of(&Server::start("three")).text;
    assert_eq!(document["openapi"], "3.1.0");
    // Relative to /api/openapi.json, so that it holds behind any prefix.
    assert_eq!(document["servers"][0]["url"], "../api");
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        jsonschema::draft202012::meta::validate(schema).unwrap();
        assert!(schema["description"].is_string(), "{name}");
        for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
            let text = schema["description"].as_str();
            assert!(text.is_some_and(|text| !text.contains('\n')), "{name}.{field}: {text:?}");
        }
    }
    let mut references = BTreeSet::new();
    collect_references(&document, &mut references);
    for reference in &references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    for name in schemas.keys() {
        let used = references.contains(&format!("#/components/schemas/{name}"));
        assert!(used, "no address uses {name}");
    }
}

fn collect_references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                found.insert(reference.clone());
            }
            fields.values().for_each(|value| collect_references(value, found));
        }
        Value::Array(elements) => {
            elements.iter().for_each(|value| collect_references(value, found));
        }
        _ => {}
    }
}
