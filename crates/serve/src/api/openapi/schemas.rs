//! Schemas of types, as OpenAPI has them.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// An extension of schemas: other names of a parameter.
const ALSO: &str = "x-also";

/// The schemas of all addresses.
pub(super) struct Schemas {
    /// For what the server writes.
    written: SchemaGenerator,
    /// For what the server reads.
    read: SchemaGenerator,
    /// For parameters, each of which has its schema in its place.
    inline: SchemaGenerator,
}

impl Schemas {
    pub(super) fn new() -> Self {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                // OpenAPI 3.1 names the same one.
                settings.meta_schema = None;
                settings.transforms.push(Box::new(RecursiveTransform(in_one_line)));
            })
        };
        Self {
            written: settings().for_serialize().into_generator(),
            read: settings().into_generator(),
            inline: settings().with(|it| it.inline_subschemas = true).into_generator(),
        }
    }

    /// The schema of an answer.
    pub(super) fn of_answer<T: JsonSchema>(&mut self) -> Value {
        self.written.subschema_for::<T>().to_value()
    }

    /// The schema of the body of a request.
    pub(super) fn of_body<T: JsonSchema>(&mut self) -> Value {
        self.read.subschema_for::<T>().to_value()
    }

    /// The parameters of an address: the fields of the type that reads them.
    pub(super) fn of_parameters<T: JsonSchema>(&mut self) -> Vec<Value> {
        let schema = self.inline.root_schema_for::<T>();
        let required = schema.get("required").and_then(Value::as_array).cloned();
        let required = required.unwrap_or_default();
        let Some(Value::Object(fields)) = schema.get("properties") else { return Vec::new() };
        let mut parameters = Vec::new();
        for (name, field) in fields {
            let mut schema = field.as_object().cloned().unwrap_or_default();
            without_null(&mut schema);
            let description = schema.remove("description").unwrap_or_default();
            let also = schema.remove(ALSO).unwrap_or_default();
            let parameter = |name: &Value, description: &Value| {
                json!({
                    "name": name,
                    "in": "query",
                    "required": required.contains(name),
                    "description": description,
                    "schema": schema,
                })
            };
            parameters.push(parameter(&json!(name), &description));
            for other in also.as_array().into_iter().flatten() {
                let same = json!(format!("Another name of `{name}`; give only one of them."));
                parameters.push(parameter(other, &same));
            }
        }
        parameters
    }

    /// The schemas that others refer to.
    pub(super) fn into_definitions(mut self) -> Map<String, Value> {
        let mut definitions = self.read.take_definitions(true);
        definitions.extend(self.written.take_definitions(true));
        definitions
    }
}

/// Descriptions without the line ends of the comments that they come from.
fn in_one_line(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
}

/// The schema of a parameter that may be absent, but never `null`.
fn without_null(schema: &mut Map<String, Value>) {
    if let Some(types) = schema.get_mut("type")
        && let Some([first, _]) = types.as_array().map(Vec::as_slice)
    {
        *types = first.clone();
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
}
