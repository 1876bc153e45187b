namespace Cluster.Analyzers.Tests.Waits;

/// <summary>Blocking waits on calls of contracts and states are reported; waits on other tasks are not.</summary>
public sealed class BlockingWaitTests
{
    private const string Types =
        """
        public interface IOrders { Task<int> CountAsync(CancellationToken t = default); ValueTask<int> SumAsync(CancellationToken t = default); Task RunAsync(CancellationToken t = default); }
        public interface IMarked { [OneWay] Task TellAsync(); ValueTask RunAsync(CancellationToken t = default); }
        public interface ILocal { Task<int> CountAsync(); }
        public static class Use { public static IOrders Make(GlueClient client) => client.CreateProxy<IOrders>("http://127.0.0.1:1"); }

        """;

    [Theory]
    [InlineData("int M(IOrders o) => {|CLU0004:o.CountAsync().Result|};")]
    [InlineData("int M(IOrders o) => {|CLU0004:o.SumAsync().Result|};")]
    [InlineData("void M(IOrders o) => {|CLU0004:o.RunAsync().Wait()|};")]
    [InlineData("bool M(IOrders o) => {|CLU0004:o.RunAsync().Wait(1000)|};")]
    [InlineData("int M(IOrders o) => {|CLU0004:o.CountAsync().GetAwaiter().GetResult()|};")]
    [InlineData("int M(IOrders o) => {|CLU0004:o.CountAsync().ConfigureAwait(false).GetAwaiter().GetResult()|};")]
    [InlineData("int M(IOrders o) => {|CLU0004:o.SumAsync().AsTask().Result|};")]
    [InlineData("int M(IOrders o) => {|CLU0004:(o.SumAsync().AsTask()).GetAwaiter().GetResult()|};")]
    [InlineData("void M(IMarked o) { {|CLU0004:o.TellAsync().Wait()|}; {|CLU0004:o.RunAsync().GetAwaiter().GetResult()|}; }")]
    [InlineData("string? M(IPartitionedState<int, string> s) => {|CLU0004:s.GetAsync(1).Result|};")]
    [InlineData("bool M(IPartitionedState<int, string> s) => {|CLU0004:s.RemoveAsync(1).AsTask().GetAwaiter().GetResult()|};")]
    public async Task BlockingWait_OnARemoteCall_IsReported(string method) =>
        await SourceCheck.CheckAsync($"{Types}class C {{ {method} }}");

    [Theory]
    [InlineData("async Task<int> M(IOrders o) => await o.CountAsync();")]
    [InlineData("async Task<int> M(IOrders o) { var t = o.CountAsync(); await Task.WhenAll(t); return t.Result; }")]
    [InlineData("int M(ILocal o) => o.CountAsync().Result;")]
    [InlineData("int M() => Task.FromResult(1).Result;")]
    [InlineData("string M(Box o) => o.Result + o.Wait();", "class Box { public string Result => \"\"; public int Wait() => 1; }")]
    [InlineData("async Task<int> M(IOrders o) => await o.CountAsync().ContinueWith(t => t.Result);")]
    public async Task OtherUse_OfATask_IsNotReported(string method, string more = "") =>
        await SourceCheck.CheckAsync($"{Types}class C {{ {method} }} {more}");
}
