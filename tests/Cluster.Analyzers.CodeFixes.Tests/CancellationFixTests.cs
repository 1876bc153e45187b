namespace Cluster.Analyzers.CodeFixes.Tests;

/// <summary>A method of a contract gets a token, and so do the methods that implement it.</summary>
public sealed class CancellationFixTests
{
    [Fact]
    public async Task Token_IsAdded_ToTheContractAndItsImplementations()
    {
        var changed = await FixCheck.FixAsync(
            new CancellationFix(),
            """
            public interface IOrders
            {
                Task<int> CountAsync(string what);
                Task RunAsync();
                Task SumAsync(params int[] values);
            }
            """,
            """
            public sealed class Orders : IOrders
            {
                public Task<int> CountAsync(string what) => Task.FromResult(what.Length);
                Task IOrders.RunAsync() => Task.CompletedTask;
                public Task SumAsync(params int[] values) => Task.CompletedTask;
                public static void Add(ClusterBuilder builder) => builder.AddService<IOrders, Orders>();
            }
            """);
        Assert.Equal(
            """
            public interface IOrders
            {
                Task<int> CountAsync(string what, CancellationToken cancellationToken = default);
                Task RunAsync(CancellationToken cancellationToken = default);
                Task SumAsync(params int[] values);
            }
            """,
            changed[0]);
        Assert.Equal(
            """
            public sealed class Orders : IOrders
            {
                public Task<int> CountAsync(string what, CancellationToken cancellationToken = default) => Task.FromResult(what.Length);
                Task IOrders.RunAsync(CancellationToken cancellationToken) => Task.CompletedTask;
                public Task SumAsync(params int[] values) => Task.CompletedTask;
                public static void Add(ClusterBuilder builder) => builder.AddService<IOrders, Orders>();
            }
            """,
            changed[1]);
    }
}
