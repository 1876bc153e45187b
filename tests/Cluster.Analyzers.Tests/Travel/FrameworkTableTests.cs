using Cluster.Analyzers.Travel;
using Cluster.Testing;
using Microsoft.CodeAnalysis;

namespace Cluster.Analyzers.Tests.Travel;

/// <summary>The analyzer's tables of framework types against Slim's own table, which a test of Slim compares with what
/// the serializer does.</summary>
public sealed class FrameworkTableTests
{
    private const string TablePath = "tests/Cluster.Slim.Tests/Framework/FrameworkTypes.txt";

    // Slim refuses these by the value: their base classes are carried, and their own objects have settings.
    private static readonly string[] OfValues =
    [
        "System.Text.UTF7Encoding", "System.Collections.Generic.ByteEqualityComparer",
        "System.Collections.Generic.ObjectComparer`1", "System.Collections.Generic.ObjectEqualityComparer`1",
    ];

    [Fact]
    public void EveryType_OfSlimsTable_IsJudgedAlike()
    {
        var compilation = SourceCheck.Compile("class C;");
        var compared = 0;
        var wrong = new List<string>();
        foreach (var line in File.ReadLines(Path.Combine(RepositoryFolder.Path, TablePath)))
        {
            var parts = line.Split(" | ");
            var type = compilation.GetTypeByMetadataName(parts[0]);
            // The table names types that programs cannot name; and an abstract type may have carried subtypes.
            if (type is not { IsAbstract: false, DeclaredAccessibility: Accessibility.Public } || OfValues.Contains(parts[0]))
                continue;
            compared++;
            var isRefused = TypeRefusals.Find(type) is not null;
            if (isRefused != parts[1].StartsWith("refused", StringComparison.Ordinal))
                wrong.Add($"{line}: {(isRefused ? "reported" : "not reported")}");
        }

        Assert.Empty(wrong);
        Assert.True(compared > 400, $"only {compared} types were compared");
    }
}
