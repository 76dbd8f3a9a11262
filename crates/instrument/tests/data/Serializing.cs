// Uses Newtonsoft.Json and YamlDotNet.
using System;
using System.Collections.Generic;
using System.IO;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

public enum Kind { Small, Large }

public class Item
{
    public int Id { get; set; }
    public string Name { get; set; }
    public Kind Kind { get; set; }
    public double? Price { get; set; }
    public List<Item> Parts { get; set; } = new();
    public Dictionary<string, object> More { get; set; } = new();
    [JsonIgnore] public int Hidden { get; set; }
}

static class Program
{
    static void Main()
    {
        var item = new Item { Id = 1, Name = "a \"b\" \u00e9\n", Kind = Kind.Large, Price = 1.5, More = { ["x"] = 1, ["y"] = new[] { 1, 2 } } };
        item.Parts.Add(new Item { Id = 2, Price = null });
        foreach (Formatting formatting in new[] { Formatting.None, Formatting.Indented })
        {
            string json = JsonConvert.SerializeObject(item, formatting);
            Console.WriteLine(json);
            Console.WriteLine(JsonConvert.SerializeObject(JsonConvert.DeserializeObject<Item>(json)) == JsonConvert.SerializeObject(item));
        }
        foreach (string text in new[] { "[1, 2.5, \"x\", null, true, {\"a\": [{}]}]", "{\"a\": 1,", "{'b': 0x1F, c: undefined}", "nul", "[1,,2]", "/* c */ {\"d\": 1e400}" })
            try { Console.WriteLine(JToken.Parse(text).ToString(Formatting.None)); }
            catch (JsonReaderException e) { Console.WriteLine(e.Message); }
        JObject root = JObject.Parse("{\"store\":{\"book\":[{\"p\":8,\"t\":\"A\"},{\"p\":12,\"t\":\"B\"}]}}");
        foreach (string path in new[] { "store.book[0].t", "$..t", "$.store.book[?(@.p > 10)].t", "$.store.book[*].p", "missing", "$.store.book[-1:].t" })
            Console.WriteLine(path + ": " + string.Join(",", root.SelectTokens(path)));
        Console.WriteLine(JsonConvert.DeserializeXmlNode("{\"r\":{\"a\":[1,2]}}").OuterXml);

        var deserializer = new YamlDotNet.Serialization.DeserializerBuilder().Build();
        var serializer = new YamlDotNet.Serialization.SerializerBuilder().Build();
        foreach (string yaml in new[] { "a: 1\nb:\n  - x\n  - {y: z}\n", "- &anchor {k: v}\n- *anchor\n", "text: |\n  line\n  line\n", "a: [1, 2", "? complex\n: value\n" })
            try { Console.Write(serializer.Serialize(deserializer.Deserialize<object>(yaml))); }
            catch (YamlDotNet.Core.YamlException e) { Console.WriteLine(e.Message); }
    }
}
