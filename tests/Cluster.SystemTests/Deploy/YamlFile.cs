using Cluster.Testing;
using YamlDotNet.Core;
using YamlDotNet.Serialization;

namespace Cluster.SystemTests.Deploy;

/// <summary>Reads files of YAML with their anchors and merges. Stateless.</summary>
internal static class YamlFile
{
    private static readonly IDeserializer Deserializer = new DeserializerBuilder().Build();

    /// <summary>Reads all documents of a file.</summary>
    /// <param name="path">The path in the repository.</param>
    public static List<Dictionary<string, object>> Read(string path)
    {
        var parser = new MergingParser(new Parser(new StringReader(
            File.ReadAllText(Path.Combine(RepositoryFolder.Path, path)))));
        var documents = new List<Dictionary<string, object>>();
        parser.Consume<YamlDotNet.Core.Events.StreamStart>();
        while (!parser.Accept<YamlDotNet.Core.Events.StreamEnd>(out _))
            documents.Add(Deserializer.Deserialize<Dictionary<string, object>>(parser));
        return documents;
    }

    /// <summary>The value at a path of names and numbers of elements, such as <c>spec.containers.0.env</c>.</summary>
    public static T At<T>(object node, string path)
    {
        foreach (var step in path.Split('.'))
        {
            node = node switch
            {
                List<object> list => list[int.Parse(step, CultureInfo.InvariantCulture)],
                Dictionary<string, object> map => map[step],
                Dictionary<object, object> map => map[step],
                _ => throw new KeyNotFoundException($"{step} of {path} is below a plain value."),
            };
        }

        return (T)node;
    }
}
