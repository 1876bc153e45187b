namespace Cluster.Analyzers.CodeFixes.Tests;

/// <summary>Blocking waits in asynchronous code become awaits; others stay.</summary>
public sealed class AwaitFixTests
{
    [Theory]
    [InlineData("async Task<int> M(I o) => o.CountAsync().Result;", "async Task<int> M(I o) => await o.CountAsync();")]
    [InlineData(
        "async Task<int> M(I o) => o.CountAsync().GetAwaiter().GetResult();",
        "async Task<int> M(I o) => await o.CountAsync();")]
    [InlineData("async Task M(I o) { o.RunAsync().Wait(); }", "async Task M(I o) { await o.RunAsync(); }")]
    [InlineData(
        "async Task<string> M(I o) { return o.CountAsync().Result.ToString(); }",
        "async Task<string> M(I o) { return (await o.CountAsync()).ToString(); }")]
    [InlineData(
        "async Task<string?> M(IPartitionedState<int, string> s) => s.GetAsync(1).AsTask().Result;",
        "async Task<string?> M(IPartitionedState<int, string> s) => await s.GetAsync(1).AsTask();")]
    [InlineData(
        "Func<Task<int>> M(I o) => async () => o.CountAsync().Result + 1;",
        "Func<Task<int>> M(I o) => async () => await o.CountAsync() + 1;")]
    [InlineData("int M(I o) => o.CountAsync().Result;", null)]
    [InlineData("async Task<bool> M(I o) => o.RunAsync().Wait(100);", null)]
    [InlineData("async Task<Func<int>> M(I o) => () => o.CountAsync().Result;", null)]
    [InlineData("async Task M(I o) { lock (o) { o.RunAsync().Wait(); } }", null)]
    public async Task Wait_OnARemoteCall_BecomesAwait(string method, string? expected)
    {
        const string Types = "public interface I { [Idempotent] Task<int> CountAsync(CancellationToken t = default); Task RunAsync(CancellationToken t = default); }\n";
        var fixedSource = await FixCheck.FixAsync(new AwaitFix(), $"{Types}class C {{ {method} }}");
        Assert.Equal([$"{Types}class C {{ {expected ?? method} }}"], fixedSource);
    }
}
