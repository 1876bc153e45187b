using Cluster.Testing.Consul;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>One Consul server for all tests that do not disturb it. Owned by xunit's collection.</summary>
public sealed class ConsulServerFixture : IAsyncLifetime
{
    private ConsulServer? _server;

    /// <summary>The running server.</summary>
    public ConsulServer Server => _server ?? throw new InvalidOperationException("No Consul: the test should be skipped.");

    public async Task InitializeAsync()
    {
        if (ConsulBinary.Missing is null)
            _server = await ConsulServer.StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (_server is not null)
            await _server.DisposeAsync();
    }
}
