using Cluster.Testing;

namespace Samples.Tests;

public sealed class GrpcDiscoveryTests
{
    [Fact]
    public async Task Client_FindsBothNodesByTheNameOfTheService()
    {
        using var folder = new SampleFolder();
        await using var one = Start("one", folder);
        await using var two = Start("two", folder);
        foreach (var node in new[] { one, two })
        {
            await node.WaitForLineAsync(
                static line => line.EndsWith(" serves.", StringComparison.Ordinal), SampleProcess.Bound);
        }

        var output = await SampleProcess.RunAsync("GrpcDiscovery", folder.Path, ["call"]);
        Assert.Contains("Hello world, says one.", output, StringComparison.Ordinal);
        Assert.Contains("Hello world, says two.", output, StringComparison.Ordinal);
    }

    private static ChildProcess Start(string node, SampleFolder folder) =>
        SampleProcess.Start("GrpcDiscovery", folder.Path, ["serve", node]);
}
