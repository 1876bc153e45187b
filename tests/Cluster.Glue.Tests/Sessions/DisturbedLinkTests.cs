using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Transport;
using Cluster.Testing;
using Cluster.Testing.Glue;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>One server and one client for each test, and faults between them that the test asks for. Neither side gives
/// anything up before the test does, unless the test or its class says so.</summary>
public abstract class DisturbedLinkTests : IAsyncLifetime
{
    /// <summary>Streams are numbered in the order of their opening; this one is the first.</summary>
    protected const int HelloStream = 1;

    protected const int CallsStream = 2;

    protected const int BulkStream = 3;

    protected static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private protected FaultyLink Faults { get; } = new(seed: 20261122);

    private protected GlueHost Host { get; private set; } = null!;

    private protected GlueClient Client { get; private set; } = null!;

    /// <summary>What the services of <see cref="Host"/> have seen.</summary>
    private protected Observations Seen => Host.Services.GetRequiredService<Observations>();

    public async Task InitializeAsync()
    {
        Host = await StartHostAsync();
        Client = Connect();
    }

    public virtual async Task DisposeAsync()
    {
        // What a failed test has left held, or waiting, would hold up the end of both sides.
        Faults.Heal();
        Seen.End.TrySetResult();
        await Client.DisposeAsync();
        // A server may wait for a client that gave up while it connected, as long as its clock allows.
        var ending = Host.DisposeAsync().AsTask();
        await Eventually.TrueAsync(
            () =>
            {
                foreach (var clock in Clocks)
                    clock.Advance(GlueLimits.TickInterval);
                return ending.IsCompleted;
            },
            Bound);
        await ending;
    }

    /// <summary>The clocks of <see cref="Host"/> and <see cref="Client"/> that the class moves by hand.</summary>
    private protected virtual IEnumerable<ManualTimeProvider> Clocks => [];

    private protected virtual Task<GlueHost> StartHostAsync() => GlueHost.StartAsync();

    /// <summary>What all clients of the class have in common.</summary>
    private protected virtual void ConfigureClient(GlueClientOptions options)
    {
    }

    /// <param name="configure">Options beyond those of the class.</param>
    /// <param name="wrap">Wraps the streams before the faults.</param>
    /// <param name="faults">Other faults than those of <see cref="Client"/>.</param>
    private protected GlueClient Connect(
        Action<GlueClientOptions>? configure = null,
        Func<IMessageStream, IMessageStream>? wrap = null,
        FaultyLink? faults = null)
    {
        var options = new GlueClientOptions
        {
            // A substream that a test holds is silent, and not to be given up.
            HeartbeatInterval = Bound,
            DefaultDeadline = Bound,
            ConnectTimeout = Bound,
            ResumeWindow = Bound,
        };
        ConfigureClient(options);
        configure?.Invoke(options);
        (faults ?? Faults).Attach(options);
        if (wrap is not null && options.WrapConnector is { } attach)
            options.WrapConnector = inner => new WrappingConnector(attach(inner), wrap);
        return new GlueClient(options);
    }

    /// <summary>A proxy of <see cref="Client"/> for <see cref="Host"/>.</summary>
    private protected T Proxy<T>()
        where T : class =>
        Client.CreateProxy<T>(Host.Address);

    private sealed class WrappingConnector(IMessageConnector inner, Func<IMessageStream, IMessageStream> wrap)
        : IMessageConnector
    {
        public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken) =>
            wrap(await inner.OpenAsync(address, cancellationToken));
    }
}
