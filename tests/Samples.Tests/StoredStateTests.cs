namespace Samples.Tests;

public sealed class StoredStateTests
{
    [Fact]
    public async Task Value_IsFoundByTheNextCluster()
    {
        using var folder = new SampleFolder();
        Assert.Equal("ada has 10.", await RunAsync(folder, "add", "ada", "10"));
        Assert.Equal("ada has 15.", await RunAsync(folder, "add", "ada", "5"));
        Assert.Equal("ada has 15.", await RunAsync(folder, "show", "ada"));
        Assert.Equal("bob has no account.", await RunAsync(folder, "show", "bob"));
    }

    private static Task<string> RunAsync(SampleFolder folder, params string[] arguments) =>
        SampleProcess.RunAsync("StoredState", folder.Path, arguments);
}
