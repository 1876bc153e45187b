using Shop.Node;

namespace Shop.Tests.Node;

public sealed class NodeCommandTests
{
    public static TheoryData<string?, string?, bool> Places => new()
    {
        { "/tmp/some folder", null, false },
        { null, "http://127.0.0.1:8500/", true },
    };

    [Theory]
    [MemberData(nameof(Places))]
    public async Task ArgumentsFor_AnySettings_AreReadBackAlike(string? folder, string? consul, bool canBootstrap)
    {
        var written = new NodeSettings(
            "n2", new ClusterPlace("mine", folder, consul is null ? null : new Uri(consul)), 5, canBootstrap);
        NodeSettings? read = null;
        var command = new NodeCommand(settings =>
        {
            read = settings;
            return Task.FromResult(42);
        });
        var root = new System.CommandLine.RootCommand { command.Command };

        var code = await root.Parse(NodeCommand.ArgumentsFor(written)).InvokeAsync();

        Assert.Equal(42, code);
        Assert.Equal(written, read);
    }
}
