namespace Cluster.NodeHost.Tests;

[Trait("Case", "repair-C11")]
public sealed class CommandLineTests
{
    [Fact]
    public async Task Help_EveryVerb_SaysWhatItDoes()
    {
        foreach (var verb in new string[][] { [], ["table", "export"], ["table", "import"], ["member", "dead"] })
        {
            var (code, said) = await Operator.RunAsync([.. verb, "--help"]);
            Assert.Equal(0, code);
            Assert.Contains("Usage:", said, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task WrongCommandLines_EndWithUsage_AndSayWhatIsMissing()
    {
        await CheckAsync("--to", "table", "export", "--name", "shop", "--folder", "x");
        await CheckAsync("--name", "table", "export", "--to", "x", "--folder", "x");
        await CheckAsync("exactly one store", "table", "export", "--to", "x", "--name", "shop");
        await CheckAsync(
            "exactly one store", "table", "export", "--to", "x", "--name", "shop", "--folder", "x", "--consul", "http://h:1");
        await CheckAsync("must", "member", "dead", "n1", "--name", "no/name", "--folder", "x");
        await CheckAsync("", "table", "burn");
    }

    [Fact]
    public async Task ConsulThatDoesNotAnswer_EndsWithItsExitCode()
    {
        var (code, said) = await Operator.RunAsync(
            "table", "export", "--to", "x", "--name", "shop", "--consul", "http://127.0.0.1:1");
        Assert.Equal((int)Cluster.Nodes.ClusterExitCode.StoreUnreachable, code);
        Assert.Contains("127.0.0.1:1", said, StringComparison.Ordinal);
    }

    private static async Task CheckAsync(string part, params string[] arguments)
    {
        var (code, said) = await Operator.RunAsync(arguments);
        Assert.Equal(OperatorExitCode.Usage, code);
        Assert.Contains(part, said, StringComparison.Ordinal);
    }
}
