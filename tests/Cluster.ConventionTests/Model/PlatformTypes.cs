using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using Cluster.Testing;

namespace Cluster.ConventionTests.Model;

/// <summary>The names of all public types of .NET and ASP.NET Core, read once from the assemblies of this
/// process.</summary>
internal static class PlatformTypes
{
    private static readonly Lazy<HashSet<string>> Names = new(ReadNames);

    public static bool Contain(string name) => Names.Value.Contains(name);

    private static HashSet<string> ReadNames()
    {
        var platform = PlatformAssemblies.Paths
            .Where(path => Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal)
                || Path.GetFileName(path).StartsWith("Microsoft.", StringComparison.Ordinal));
        return [.. platform.SelectMany(ReadNames)];
    }

    private static List<string> ReadNames(string path)
    {
        using var file = new PEReader(File.OpenRead(path));
        var reader = file.GetMetadataReader();
        return
        [
            .. reader.TypeDefinitions.Select(reader.GetTypeDefinition)
                .Select(type => reader.GetString(type.Name).Split('`')[0]),
        ];
    }
}
