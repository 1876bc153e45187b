using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Channels;
using Cluster.Glue.Signatures;
using Cluster.Testing;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Cluster.Glue.Tests.Channels;

/// <summary>A client that meets something else than a server of Glue says what it has met.</summary>
public sealed class StrangePeerTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Theory]
    [Trait("Case", "repair-D")]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    public async Task PortOfHttp1_IsNamed(GlueTransport transport)
    {
        await using var stub = await StubServer.StartAsync(
            static (_, _) => Task.CompletedTask, HttpProtocols.Http1);
        await CheckAsync(transport, stub.Address, "speaks HTTP/1 only");
    }

    [Theory]
    [Trait("Case", "repair-D")]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    public async Task PortOfTls_IsNamed(GlueTransport transport)
    {
        using var certificate = NewCertificate();
        await using var server = NewServer(async stream =>
        {
            await using var tls = new SslStream(stream);
            await tls.AuthenticateAsServerAsync(certificate);
            await tls.ReadAtLeastAsync(new byte[64], 1, throwOnEndOfStream: false);
        });
        await CheckAsync(transport, server.Address, "speaks TLS");
    }

    [Theory]
    [Trait("Case", "repair-D")]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    public async Task SomethingElse_IsQuoted(GlueTransport transport)
    {
        await using var server = NewServer(async stream =>
        {
            await stream.WriteAsync(Encoding.ASCII.GetBytes("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"));
            await stream.ReadExactlyAsync(new byte[4096]);
        });
        await CheckAsync(transport, server.Address, @"'SSH-2.0-OpenSSH_9.2p1");
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public async Task ServerOfHttp2_WithoutGlue_IsNamed()
    {
        await using var stub = await StubServer.StartAsync((_, context) =>
        {
            context.Response.StatusCode = 404;
            return Task.CompletedTask;
        });
        await CheckAsync(GlueTransport.Link, stub.Address, "no gRPC (the server answered HTTP 404)");
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public async Task SilentPort_DeadlineNamesTheAddress_AndWhatTheCallWaitedFor()
    {
        await using var server = NewServer(static stream => stream.ReadExactlyAsync(new byte[4096]).AsTask());
        await using var client = new GlueClient(
            new GlueClientOptions { DefaultDeadline = TimeSpan.FromMilliseconds(200) });
        var failure = await Assert.ThrowsAsync<GlueException>(
            () => client.CreateProxy<IRuns>(server.Address).AddAsync().WaitAsync(Bound));
        Assert.Equal(
            (GlueDelivery.NotDelivered, GlueErrorCode.DeadlineBeforeSend), (failure.Delivery, failure.Code));
        Assert.Contains($"a connection to {server.Address}", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Case", "repair-D")]
    [InlineData(0, GlueErrorCode.DeadlineBeforeSend, "it waited for a connection to http://there")]
    [InlineData(1, GlueErrorCode.DeadlineAwaitingReply, "http://there did not answer")]
    public void UnaryDeadline_SaysWhetherTheRequestWasSent(int attempts, GlueErrorCode code, string expected)
    {
        var method = ContractDescription.Of(typeof(IRuns)).Methods[0];
        var failure = new UnaryFailures("http://there", method, attempts).Late();
        Assert.Equal(code, failure.Code);
        Assert.Contains(expected, failure.Message, StringComparison.Ordinal);
    }

    private static async Task CheckAsync(GlueTransport transport, string address, string expected)
    {
        await using var client = new GlueClient(new GlueClientOptions { Transport = transport, DefaultDeadline = Bound });
        var failure = await Assert.ThrowsAsync<GlueException>(
            () => client.CreateProxy<IRuns>(address).AddAsync().WaitAsync(Bound));
        Assert.Equal((GlueErrorKind.Unreachable, GlueErrorCode.ConnectFailed), (failure.Kind, failure.Code));
        if (transport == GlueTransport.Link)
            Assert.Equal(GlueDelivery.NotDelivered, failure.Delivery);
        Assert.Contains(address, failure.Message, StringComparison.Ordinal);
        Assert.Contains(expected, failure.Message, StringComparison.Ordinal);
    }

    private static X509Certificate2 NewCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        var now = TimeProvider.System.GetUtcNow();
        return request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
    }

    /// <summary>Does the same with each connection.</summary>
    private static LoopbackListener NewServer(Func<Stream, Task> talk) => new(async (client, end) =>
    {
        await using var closing = end.Register(client.Dispose);
        try
        {
            await using var stream = new NetworkStream(client, ownsSocket: true);
            await talk(stream);
        }
        catch (Exception)
        {
            // The client has gone, or the test is over.
        }
    });
}
