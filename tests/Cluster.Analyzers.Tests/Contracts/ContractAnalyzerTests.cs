namespace Cluster.Analyzers.Tests.Contracts;

/// <summary>What the registration of a contract reports, where and in which words.</summary>
public sealed class ContractAnalyzerTests
{
    [Fact]
    public async Task RefusedMember_IsReported_AtTheTypeArgument()
    {
        var found = await SourceCheck.CheckAsync(
            """
            public interface IOrders { event EventHandler Changed; int Count(); }
            public abstract class Orders : IOrders { public abstract event EventHandler Changed; public abstract int Count(); }
            public static class Use
            {
                public static void Add(ClusterBuilder builder, GlueServerBuilder glue, GlueClient client)
                {
                    builder.AddService<{|CLU0001:IOrders|}, Orders>();
                    builder.AddClient<{|CLU0001:IOrders|}>();
                    glue.AddService<{|CLU0001:IOrders|}, Orders>(GlueInstanceMode.Singleton);
                    client.CreateProxy<{|CLU0001:IOrders|}>("http://127.0.0.1:1");
                }
            }
            """);
        Assert.Equal(
            "Contract IOrders cannot be called remotely: it has the event 'Changed'; pass an interface that the server "
                + "calls back",
            found[0].GetMessage(CultureInfo.InvariantCulture));
        Assert.Single(found[0].AdditionalLocations);
        Assert.EndsWith("docs/analyzers.md#clu0001", found[0].Descriptor.HelpLinkUri, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ParameterOrResult_ThatCannotTravel_IsReportedWithItsPath()
    {
        var found = await SourceCheck.AnalyzeAsync(SourceCheck.Compile(
            """
            public sealed class Order { public Part[] Parts { get; set; } = []; }
            public sealed class Part { private readonly Task _pending = Task.CompletedTask; public Task Get() => _pending; }
            public interface IOrders
            {
                Task<Order> PlaceAsync(List<Thread> threads, CancellationToken cancellationToken = default);
                Task RunAsync(Task after, CancellationToken cancellationToken = default);
                IAsyncEnumerable<HttpClient> ReadAsync();
            }
            public static class Use
            {
                public static void Add(ClusterBuilder builder) =>
                    builder.AddClient<IOrders>();
            }
            """));
        Assert.Equal(
            [
                "IOrders.PlaceAsync, parameter 'threads'[]: Thread cannot be carried: a thread lives in one process",
                "IOrders.PlaceAsync, result.Parts[]._pending: Task cannot be carried: a task is work in progress; await it and carry its result",
                "IOrders.ReadAsync, result[]: HttpClient cannot be carried: there is no codec for this framework type",
                "IOrders.RunAsync, parameter 'after': Task cannot be carried: a task is work in progress; await it and carry its result",
            ],
            found.Select(one => one.GetMessage(CultureInfo.InvariantCulture)).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task OpenContract_OfAGenericMethod_IsNotReported() => await SourceCheck.CheckAsync(
        """
        public static class Use
        {
            public static T Make<T>(GlueClient client) where T : class => client.CreateProxy<T>("http://127.0.0.1:1");
            public static void AddService<TContract>() { }
            public static void Other() => AddService<Stream>();
        }
        """);
}
