using Cluster.Nodes.Stores;
using Cluster.Nodes.Tests.Clusters;
using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Configuration;

/// <summary>The messages of a node that cannot start: what it found, what it expected, and which option to
/// change.</summary>
[Trait("Case", "repair-D")]
public sealed class StartFailureTests(ITestOutputHelper output)
{
    public static TheoryData<string, string, string[]> Wrong { get; } = new()
    {
        {
            nameof(ClusterOptions.ListenAddress), "http://192.0.2.1:0",
            ["Cluster:LivenessPort 192.0.2.1:0 is not an address of this machine", "Set Cluster:ListenAddress to an address"]
        },
        {
            nameof(ClusterOptions.PileBudgetBytes), "9223372036854775807",
            ["Cluster:PileBudgetBytes, 9,223,372,036,854,775,807 bytes", "BudgetBytes is", "Set Cluster:PileBudgetBytes to"]
        },
        {
            nameof(ClusterOptions.InitialNodeCount), "0",
            ["Cluster:InitialNodeCount is '0'", "must be from 1 to 1024", "Correct the named"]
        },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public async Task Node_WithAWrongOption_NamesItWhatItFoundAndWhatToSet(string option, string value, string[] parts)
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        fixture.Logs.Allow(static entry => entry.Exception is ClusterStartException);
        var node = fixture.Create("n1", Set).AllowInsecure();

        var failure = await Assert.ThrowsAsync<ClusterStartException>(node.StartAsync);

        Assert.All(parts, part => Assert.Contains(part, failure.Message, StringComparison.Ordinal));
        Assert.EndsWith(failure.Remedy, failure.Message, StringComparison.Ordinal);

        void Set(ClusterOptions options)
        {
            var property = typeof(ClusterOptions).GetProperty(option)!;
            var type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
            property.SetValue(options, Convert.ChangeType(value, type, provider: null));
        }
    }

    [Fact]
    public void Store_WhateverItRefuses_IsToldWithARemedy()
    {
        foreach (var kind in Enum.GetValues<ClusterStoreError>())
        {
            var failure = ClusterStartException.From(
                new ClusterStoreException(kind, "what the store said"), "store of the test");
            Assert.Contains("store of the test", failure.Message, StringComparison.Ordinal);
            Assert.Contains("what the store said", failure.Message, StringComparison.Ordinal);
            Assert.True(failure.Remedy.Length > 20, $"{kind}: '{failure.Remedy}'");
            Assert.EndsWith(failure.Remedy, failure.Message, StringComparison.Ordinal);
            Assert.True(Enum.IsDefined(failure.ExitCode));
        }
    }
}
