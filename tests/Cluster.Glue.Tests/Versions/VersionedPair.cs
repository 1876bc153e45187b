namespace Cluster.Glue.Tests.Versions;

/// <summary>A client of one build and a server of another, for one test.</summary>
internal sealed class VersionedPair : IAsyncDisposable
{
    private readonly GlueHost _host;
    private readonly GlueClient _client;
    private readonly ContractBuild _caller;
    private readonly object _proxy;

    private VersionedPair(string address, GlueHost host, GlueClient client, ContractBuild caller, object proxy)
    {
        Address = address;
        _host = host;
        _client = client;
        _caller = caller;
        _proxy = proxy;
    }

    /// <summary>Where the client finds the server.</summary>
    public string Address { get; }

    public static async Task<VersionedPair> StartAsync(
        string callerSource, string serverSource, VersionTests.Binding binding, string contract = "Shop.IOrders")
    {
        var server = new ContractBuild(serverSource);
        var name = "t" + Guid.NewGuid().ToString("N");
        var host = await GlueHost.StartAsync(
            options =>
            {
                options.ConfigureTypes = types => types.Allow<InvalidOperationException>();
                options.InProcessName = name;
                options.InProcessMode = GlueInProcessMode.Serialize;
            },
            glue => server.AddService(glue, contract, contract.Replace(".I", ".", StringComparison.Ordinal)));
        var client = new GlueClient(new GlueClientOptions
        {
            DefaultDeadline = TimeSpan.FromMinutes(1),
            // However long a busy machine compiles.
            HeartbeatInterval = TimeSpan.FromMinutes(1),
            ConnectTimeout = TimeSpan.FromMinutes(1),
            ResumeWindow = TimeSpan.FromMinutes(1),
            Transport = binding == VersionTests.Binding.Unary ? GlueTransport.Unary : GlueTransport.Link,
        });
        var caller = new ContractBuild(callerSource);
        var address = binding == VersionTests.Binding.InProcess ? "inproc://" + name : host.Address;
        return new VersionedPair(address, host, client, caller, caller.CreateProxy(client, contract, address));
    }

    /// <summary>Calls a method of the caller's class <c>Shop.Program</c>.</summary>
    public Task<string> CallAsync(string method) => _caller.RunAsync(method, _proxy);

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _host.DisposeAsync();
    }
}
