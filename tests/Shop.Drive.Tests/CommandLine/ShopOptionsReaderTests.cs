using Shop.Drive.CommandLine;
using Shop.Drive.Load;

namespace Shop.Drive.Tests.CommandLine;

public sealed class ShopOptionsReaderTests
{
    [Fact]
    public void Read_NoArguments_GivesTheDefaults()
    {
        var options = ReadGood();

        Assert.False(options.IsHeadless);
        Assert.False(options.IsJson);
        Assert.Null(options.Duration);
        Assert.Null(options.KillAfter);
        Assert.Equal(3, options.NodeCount);
        Assert.Null(options.ConsulAddress);
        Assert.Equal("shop", options.ClusterName);
        Assert.Null(options.DataFolder);
        Assert.Null(options.Port);
        Assert.Equal(LoadPlan.CallerCountDefault, options.CallerCount);
        Assert.Equal(LoadPlan.SessionCountDefault, options.SessionCount);
    }

    [Fact]
    public void Read_EveryOption_IsTaken()
    {
        var options = ReadGood(
            "--headless", "--json", "--seconds", "20", "--kill-after", "8", "--nodes", "5", "--consul",
            "http://127.0.0.1:8500", "--name", "mine", "--port", "5200", "--callers", "12", "--sessions", "77");

        Assert.True(options.IsHeadless);
        Assert.True(options.IsJson);
        Assert.Equal(TimeSpan.FromSeconds(20), options.Duration);
        Assert.Equal(TimeSpan.FromSeconds(8), options.KillAfter);
        Assert.Equal(5, options.NodeCount);
        Assert.Equal(new Uri("http://127.0.0.1:8500"), options.ConsulAddress);
        Assert.Equal("mine", options.ClusterName);
        Assert.Equal(5_200, options.Port);
        Assert.Equal(12, options.CallerCount);
        Assert.Equal(77, options.SessionCount);
        Assert.Equal("folder", ReadGood("--data", "folder").DataFolder);
    }

    [Fact]
    public void Read_ManyProblems_NamesThemAll()
    {
        var problems = ReadBad(
            "--json", "--seconds", "0", "--kill-after", "soon", "--nodes", "17", "--consul", "nowhere", "--name", "a b",
            "--data", "x", "--port", "70000", "--callers", "1", "--sessions", "-3", "--frobnicate");

        foreach (var option in new[]
            {
                "--json", "--seconds", "--kill-after", "--nodes", "--consul", "--name", "--port", "--callers",
                "--sessions", "--frobnicate",
            })
        {
            Assert.Contains(problems, problem => problem.Contains(option, StringComparison.Ordinal));
        }
    }

    [Theory]
    [InlineData("--seconds is '0', but must be a whole number from 1 to 86400.", "--seconds", "0")]
    [InlineData("--seconds is '1.5', but must be a whole number from 1 to 86400.", "--seconds", "1.5")]
    [InlineData("--nodes is '99999999999', but must be a whole number from 1 to 16.", "--nodes", "99999999999")]
    [InlineData("--json needs --headless.", "--json")]
    [InlineData("--kill-after must be less than --seconds.", "--seconds", "5", "--kill-after", "5")]
    [InlineData("--data is for the file store: use it without --consul.", "--data", "x", "--consul", "http://x:1")]
    [InlineData("--consul is 'ftp://x', but must be an address such as http://127.0.0.1:8500.", "--consul", "ftp://x")]
    public void Read_OneProblem_SaysWhatIsWrong(string problem, params string[] arguments) =>
        Assert.Equal(problem, Assert.Single(ReadBad(arguments)));

    [Theory]
    [InlineData("--seconds")]
    [InlineData("--seconds", "5", "--seconds", "6")]
    [InlineData("extra")]
    [InlineData("--headless", "maybe")]
    public void Read_WrongForm_IsAProblem(params string[] arguments) => Assert.NotEmpty(ReadBad(arguments));

    private static ShopOptions ReadGood(params string[] arguments)
    {
        var (options, problems) = Read(arguments);
        Assert.Empty(problems);
        return options!;
    }

    private static ImmutableArray<string> ReadBad(params string[] arguments)
    {
        var (options, problems) = Read(arguments);
        Assert.Null(options);
        return problems;
    }

    private static ParsedOptions Read(string[] arguments)
    {
        var command = new ShopCommand();
        return ShopOptionsReader.Read(command, command.Root.Parse(arguments));
    }
}
