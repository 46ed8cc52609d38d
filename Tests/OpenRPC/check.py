#!/usr/bin/python3
"""Holds openrpc.json to the rules of OpenRPC 1.2.6, and the messages of control-protocol.md and monitor-protocol.md to
its schemas."""
import json
import pathlib
import re
import sys

import jsonschema

folder = pathlib.Path(sys.argv[1])
document = json.loads((folder / 'openrpc.json').read_text())
faults = []


def need(condition, what):
    if not condition:
        faults.append(what)


def resolve(pointer):
    need(pointer.startswith('#/'), f'{pointer} is no reference into the document')
    place = document
    for part in pointer[2:].split('/'):
        if part not in place:
            faults.append(f'{pointer} leads nowhere')
            return {}
        place = place[part]
    return place


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get('$ref'), str):
            yield value['$ref']
        for member in value.values():
            yield from references(member)
    elif isinstance(value, list):
        for member in value:
            yield from references(member)


def validator(schema):
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator({**schema, 'components': document['components']})


def check(where, schema, value):
    for error in validator(schema).iter_errors(value):
        faults.append(f'{where}: {error.json_path}: {error.message}')


known = {'openrpc', 'info', 'servers', 'methods', 'components', 'externalDocs'}
need(all(key in known or key.startswith('x-') for key in document), 'the document has members that OpenRPC does not know')
need(re.fullmatch(r'1\.[23]\.\d+', document['openrpc']), 'openrpc is no version')
need(document['info']['title'] and document['info']['version'], 'info needs title and version')
for pointer in references(document):
    resolve(pointer)
for name in document['components']['schemas']:
    need(re.fullmatch(r'[A-Za-z0-9._-]+', name), f'{name} is no name of a component')

methods = {method['name']: method for method in document['methods']}
need(len(methods) == len(document['methods']), 'a method stands twice')
known = {'name', 'tags', 'summary', 'description', 'externalDocs', 'params', 'result', 'deprecated', 'servers', 'errors', 'links',
         'paramStructure', 'examples'}
for name, method in methods.items():
    need(all(key in known or key.startswith('x-') for key in method), f'{name} has members that OpenRPC does not know')
    need(method['summary'].endswith('.'), f'{name} needs a summary that is a sentence')
    names = [param['name'] for param in method['params']]
    need(len(set(names)) == len(names), f'{name}: a parameter stands twice')
    need(method['paramStructure'] == 'by-name', f'{name}: parameters are named')
    for param in method['params']:
        need({'name', 'required', 'schema'} == set(param), f'{name}: {param} is no content descriptor')
        for example in param['schema'].get('examples', []):
            check(f'{name}: example of {param["name"]}', param['schema'], example)
    need('name' in method['result'] and 'schema' in method['result'], f'{name} needs a result')
    validator(method['result']['schema'])
    codes = [resolve(error['$ref'])['code'] for error in method['errors']]
    need(len(set(codes)) == len(codes), f'{name}: an error stands twice')
events = {event['name']: event for event in document['x-notifications']}

method = None
count = 0
lines = (folder / 'control-protocol.md').read_text().splitlines()
lines += [line.strip() for line in (folder / 'monitor-protocol.md').read_text().splitlines()]
for line in lines:
    if not line.startswith('{"jsonrpc"'):
        continue
    count += 1
    message = json.loads(line)
    if message.get('method') in methods:
        method = methods[message['method']]
        params = message.get('params', {})
        schemas = {param['name']: param['schema'] for param in method['params']}
        for param in method['params']:
            need(not param['required'] or param['name'] in params, f'{line}: {param["name"]} is missing')
        for name, value in params.items():
            need(name in schemas, f'{line}: {name} is no parameter')
            check(line, schemas.get(name, {}), value)
    elif 'result' in message:
        check(line, method['result']['schema'], message['result'])
    elif 'error' in message:
        reasons = [error['$ref'].split('/')[-1] for error in method['errors']]
        need(message['error']['data']['reason'] in reasons, f'{line}: not among the errors of {method["name"]}')
    else:
        check(line, events[message['method']]['params'], message['params'])
need(count > 40, f'only {count} messages were found')

print('\n'.join(faults) or 'valid')
sys.exit(1 if faults else 0)
