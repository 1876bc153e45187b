using System.Diagnostics.Metrics;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Cluster.Glue;
using Cluster.Glue.Authorization;
using Cluster.Glue.Tls;
using Cluster.Nodes.Liveness;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Tests.Liveness;

/// <summary>The liveness endpoint of a node that uses mutual TLS.</summary>
[Collection(HandleTests.Name)]
[Trait("Case", "transport-6")]
public sealed class LivenessGuardTests : IDisposable
{
    private const int Refused = 1005;
    private const int ManyRefused = 1013;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly NodeId _self = NodeId.NewIncarnation("n1");
    private readonly GlueCertificates _authority = GlueCertificates.CreateForDevelopment();
    private readonly LogRecorder _logs = new LogRecorder().Allow(Refused, ManyRefused);
    private readonly List<IDisposable> _owned = [];
    private X509Certificate2 _shown;
    private IHost? _host;

    public LivenessGuardTests() => _shown = _authority.Create("localhost", "127.0.0.1");

    public void Dispose()
    {
        foreach (var one in _owned)
            one.Dispose();
        _host?.Dispose();
        _authority.Dispose();
        _logs.Dispose();
    }

    [Fact]
    public async Task Port_AnswersWhoShowsACertificate_ForItsOwnLifeOnly()
    {
        using var port = Open();
        Assert.Equal(LivenessAnswer.Alive, await AskAsync(port, _authority));
        Assert.Equal(LivenessAnswer.OtherIncarnation, await AskAsync(port, _authority, NodeId.NewIncarnation("n1")));
        Assert.DoesNotContain(_logs.Entries, static entry => entry.Level >= LogLevel.Warning);
    }

    [Fact]
    public async Task Port_ManyProbesAtOnce_AllAnswered()
    {
        using var port = Open(options => options.MaxUnauthenticatedConnections = 1_000);
        var answers = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => AskAsync(port, _authority)));
        Assert.All(answers, answer => Assert.Equal(LivenessAnswer.Alive, answer));
    }

    [Fact]
    public async Task StrangerWithoutACertificate_LearnsNothing_AndIsLoggedAndCounted()
    {
        using var port = Open();
        var refusedCount = 0L;
        using var meters = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Name == "cluster.glue.certificates.refused" && instrument.Meter.Scope == Meters)
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        meters.SetMeasurementEventCallback<long>((_, count, _, _) => Interlocked.Add(ref refusedCount, count));
        meters.Start();
        Assert.Empty(await ReadAsync(port, null));
        await Eventually.TrueAsync(() => Volatile.Read(ref refusedCount) == 1, Bound);
        await _logs.WaitForAsync(Refused, Bound);
        var line = _logs.Entries.Single(static entry => entry.Event.Id == Refused).Message;
        Assert.Contains("at the liveness endpoint", line, StringComparison.Ordinal);
        Assert.Contains("no certificate was shown", line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task StrangerOfAnotherAuthority_LearnsNothing_AndDoesNotTrustThePortEither()
    {
        using var others = GlueCertificates.CreateForDevelopment("Others");
        using var port = Open();
        Assert.Empty(await ReadAsync(port, others.Create("stranger")));
        await _logs.WaitForAsync(Refused, Bound);
        Assert.Contains(
            "from the authority CN=Others", _logs.Entries.Single(static entry => entry.Event.Id == Refused).Message,
            StringComparison.Ordinal);
        Assert.Equal(LivenessAnswer.NotTrusted, await AskAsync(port, others));
    }

    [Fact]
    public async Task CertificateWithoutTheRoleOfNodes_LearnsNothing_WhereCertificatesHaveRoles()
    {
        using var port = Open(options =>
            options.Tls!.Roles.Add(new GlueRoleRule { Role = GlueRoles.Node, Name = "prober" }));
        Assert.Equal(LivenessAnswer.Alive, await AskAsync(port, _authority));
        Assert.Empty(await ReadAsync(port, _authority.Create("customer")));
        await _logs.WaitForAsync(Refused, Bound);
        Assert.Contains(
            "the certificate of customer has not the role",
            _logs.Entries.Single(static entry => entry.Event.Id == Refused).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task StrangerWithoutTls_LearnsNothing()
    {
        using var port = Open();
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port.Address.Port);
        await client.GetStream().WriteAsync("who is there?\r\n\r\n\r\n\r\n\r\n"u8.ToArray());
        Assert.DoesNotContain("ClsLife", await ReadToEndAsync(client.GetStream()), StringComparison.Ordinal);
        await _logs.WaitForAsync(Refused, Bound);
    }

    [Fact]
    public async Task CertificateThatIsChanged_IsShownFromTheNextQuestionOn()
    {
        using var port = Open();
        Assert.Equal(LivenessAnswer.Alive, await AskAsync(port, _authority));
        var first = await ShownByAsync(port);
        _shown = _authority.Create("localhost", "127.0.0.1");
        Assert.Equal(LivenessAnswer.Alive, await AskAsync(port, _authority));
        Assert.NotEqual(first, await ShownByAsync(port));
        Assert.Equal(_shown.Thumbprint, await ShownByAsync(port));
    }

    /// <summary>Silent connections take all places. Then a probe gets no answer, which proves nothing. After some time
    /// the silent connections lose their places. A closed port refuses at once, even while connections are
    /// open.</summary>
    [Fact]
    public async Task SilentConnections_AreBounded_AndLoseTheirPlaces_AndNeverHoldUpTheProofOfDeath()
    {
        var time = new ManualTimeProvider();
        var port = Open(options =>
        {
            options.MaxUnauthenticatedConnections = 4;
            options.HandshakeTimeout = TimeSpan.FromSeconds(5);
            options.TimeProvider = time;
        });
        _owned.Add(port);
        TcpClient[] silent = [.. Enumerable.Range(0, 4).Select(_ => new TcpClient())];
        _owned.AddRange(silent);
        foreach (var one in silent)
            await one.ConnectAsync(IPAddress.Loopback, port.Address.Port);
        Assert.Equal(LivenessAnswer.Silent, await AskAsync(port, _authority));
        await _logs.WaitForAsync(Refused, Bound);
        Assert.Contains(
            "4 connections have not shaken hands", _logs.Entries.Single(static entry => entry.Event.Id == Refused).Message,
            StringComparison.Ordinal);

        time.Advance(TimeSpan.FromSeconds(5));
        foreach (var one in silent)
            Assert.Equal("", await ReadToEndAsync(one.GetStream()));
        await Eventually.TrueAsync(async () => await AskAsync(port, _authority) == LivenessAnswer.Alive, Bound);

        using var late = new TcpClient();
        await late.ConnectAsync(IPAddress.Loopback, port.Address.Port);
        port.Dispose();
        // If the probe had to wait, its answer would be silent instead of refused.
        Assert.Equal(LivenessAnswer.Refused, await AskAsync(port, _authority));
    }

    private IMeterFactory Meters => _host!.Services.GetRequiredService<IMeterFactory>();

    private LivenessEndpoint Open(Action<GlueServerOptions>? configure = null)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(_logs.Provider);
        builder.Services.AddMetrics();
        builder.Services.AddGlueServer(options =>
        {
            options.Tls = new GlueTlsOptions
            {
                CertificateSelector = () => _shown, ClientCertificate = GlueClientCertificate.Required,
            };
            options.Tls.Authorities.Add(_authority.Authority);
            configure?.Invoke(options);
        });
        _host = builder.Build();
        return LivenessEndpoint.Open(_self, "127.0.0.1", 0, new LivenessGuard(_host.Services.GetRequiredService<GlueListener>()));
    }

    private async Task<LivenessAnswer> AskAsync(LivenessEndpoint port, GlueCertificates authority, NodeId? node = null)
    {
        var tls = new GlueTlsOptions { Certificate = authority.Create("prober") };
        tls.Authorities.Add(authority.Authority);
        await using var client = new GlueClient(new GlueClientOptions { Tls = tls });
        var probe = new LivenessProbe(TimeProvider.System, client) { Deadline = Bound };
        return await probe.AskAsync(port.Address, node ?? _self, isEncrypted: true, CancellationToken.None);
    }

    // Reads what the endpoint sends to a client that trusts every server and shows this certificate, or none.
    private static async Task<string> ReadAsync(LivenessEndpoint port, X509Certificate2? certificate)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port.Address.Port);
        await using var stream = new SslStream(client.GetStream());
        await stream.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            ClientCertificates = certificate is null ? null : [certificate],
            RemoteCertificateValidationCallback = static (_, shown, _, _) => shown is not null,
        });
        return await ReadToEndAsync(stream);
    }

    private static async Task<string> ReadToEndAsync(Stream stream)
    {
        try
        {
            using var reader = new StreamReader(stream, System.Text.Encoding.Latin1);
            return await reader.ReadToEndAsync().WaitAsync(Bound);
        }
        catch (IOException)
        {
            // The endpoint refused the client during or after the handshake and sent nothing.
            return "";
        }
    }

    private async Task<string> ShownByAsync(LivenessEndpoint port)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port.Address.Port);
        await using var stream = new SslStream(client.GetStream());
        await stream.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            ClientCertificates = [_authority.Create("prober")],
            RemoteCertificateValidationCallback = static (_, shown, _, _) => shown is not null,
        });
        return ((X509Certificate2)stream.RemoteCertificate!).Thumbprint;
    }
}
