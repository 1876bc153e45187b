using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Tls;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Tls;

/// <summary>A changed certificate of either side replaces the links that were opened with the old one.</summary>
[Trait("Case", "transport-6")]
public sealed class LinkRenewalTests : IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private readonly GlueCertificates _authority = GlueCertificates.CreateForDevelopment();
    private readonly ManualTimeProvider _time = new(TimeProvider.System.GetUtcNow());
    private X509Certificate2 _shown;

    public LinkRenewalTests() => _shown = _authority.Create("localhost", "127.0.0.1");

    public void Dispose() => _authority.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ChangedCertificate_ReplacesTheLink_AndCallsUnderWayEndOnTheOldOne(bool isServers)
    {
        await using var host = await StartAsync(isServers);
        await using var client = Connect(isServers);
        var timing = client.CreateProxy<ITiming>(host.Address);
        var counter = client.CreateProxy<ICounter>(host.Address);
        await counter.NextAsync().WaitAsync(Bound);
        var old = client.Links.Single();
        using var end = new CancellationTokenSource();
        Task under = timing.WaitForCancellationAsync(end.Token);

        // Nothing has changed.
        _time.Advance(Interval);
        await counter.NextAsync().WaitAsync(Bound);
        Assert.Same(old, client.Links.Single());

        _shown = _authority.Create("localhost", "127.0.0.1");
        _time.Advance(Interval);
        await Eventually.TrueAsync(() => !old.IsOpen, Bound);
        await counter.NextAsync().WaitAsync(Bound);
        Assert.NotSame(old, client.Links.Single());
        Assert.True(old.IsAlive);
        Assert.False(under.IsCompleted);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => under).WaitAsync(Bound);
        await old.Ended.WaitAsync(Bound);
    }

    /// <summary>Calls go on while the certificate changes again and again, and all of them are answered.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Case", "experience-X6")]
    public async Task Calls_AreAllAnswered_WhileLinksAreReplaced(bool isServers)
    {
        await using var host = await StartAsync(isServers);
        await using var client = Connect(isServers);
        var counter = client.CreateProxy<ICounter>(host.Address);
        await counter.NextAsync().WaitAsync(Bound);
        using var stop = new CancellationTokenSource();
        Task[] callers = [.. Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested)
                await counter.NextAsync();
        }))];
        for (var round = 0; round < 5; round++)
        {
            var old = client.Links.Single();
            _shown = _authority.Create("localhost", "127.0.0.1");
            _time.Advance(Interval);
            await Eventually.TrueAsync(() => client.Links.Single() != old, Bound);
            await old.Ended.WaitAsync(Bound);
        }

        await stop.CancelAsync();
        await Task.WhenAll(callers).WaitAsync(Bound);
    }

    /// <summary>An object of a client keeps the link that it was passed by, and is called over it.</summary>
    [Fact]
    public async Task Callback_IsCalledOverItsOldLink()
    {
        await using var host = await StartAsync(isServers: true);
        await using var client = Connect(isServers: true);
        var hub = client.CreateProxy<IHub>(host.Address);
        var listener = new Listener();
        await hub.KeepAsync(listener).WaitAsync(Bound);
        var old = client.Links.Single();
        _shown = _authority.Create("localhost", "127.0.0.1");
        _time.Advance(Interval);
        await Eventually.TrueAsync(() => !old.IsOpen, Bound);
        Assert.Equal(84, await hub.CallKeptAsync(42).WaitAsync(Bound));
        Assert.NotSame(old, client.Links.Single());
        Assert.True(old.IsAlive);
    }

    /// <summary>A failure would otherwise end the process, because checks run on the thread of a timer.</summary>
    [Fact]
    public async Task CallbackThatFails_IsLogged_AndCalledAgainByTheNextCheck()
    {
        using var log = new LogRecorder();
        log.Allow(1102);
        var store = new CertificateStore(
            new GlueTlsOptions { CertificateSelector = () => _shown }, _time, log.Factory);
        var calls = 0;
        await using var watch = store.Watch(() =>
        {
            if (++calls == 1)
                throw new InvalidOperationException("the first call fails");
        });
        _shown = _authority.Create("localhost", "127.0.0.1");
        _time.Advance(Interval);
        Assert.Equal(1, calls);
        Assert.Equal(1102, Assert.Single(log.Entries).Event.Id);
        _time.Advance(Interval);
        _time.Advance(Interval);
        Assert.Equal(2, calls);
    }

    private Task<GlueHost> StartAsync(bool isServers) => GlueHost.StartAsync(options =>
    {
        options.ListenAddress = "https://127.0.0.1:0";
        options.Tls = isServers
            ? new GlueTlsOptions { CertificateSelector = () => _shown }
            : new GlueTlsOptions { Certificate = _authority.Create("localhost", "127.0.0.1") };
        if (!isServers)
            options.Tls.ClientCertificate = GlueClientCertificate.Required;
        options.Tls.Authorities.Add(_authority.Authority);
        if (isServers)
            UseClock(options);
    });

    // It jumps, and nobody is to be taken for dead.
    private void UseClock(GlueServerOptions options)
    {
        options.TimeProvider = _time;
        options.HeartbeatInterval = TimeSpan.FromMinutes(10);
    }

    private GlueClient Connect(bool isServers)
    {
        var options = new GlueClientOptions
        {
            DefaultDeadline = TimeSpan.FromMinutes(10),
            ConnectTimeout = TimeSpan.FromMinutes(5),
            Tls = new GlueTlsOptions { CertificateSelector = isServers ? null : () => _shown },
        };
        options.Tls.Authorities.Add(_authority.Authority);
        if (!isServers)
        {
            options.TimeProvider = _time;
            options.HeartbeatInterval = TimeSpan.FromMinutes(10);
        }

        return new GlueClient(options);
    }
}
