using System.Net.Security;
using System.Net.Sockets;
using Cluster.Glue.Transport;

namespace Cluster.Glue.Channels;

/// <summary>Finds out, after a failed connection, what answers at the address instead of HTTP/2, so that the error can
/// name it. Opens its own connections, so it does not depend on the transport of the calls. One attempt runs at a time,
/// and its result is kept for a moment; a lock protects both.</summary>
internal sealed class PeerProbe(Uri address)
{
    private const int AnswerBytesMax = 64;
    private const byte TlsAlert = 0x15;
    private const byte TlsMajorVersion = 3;
    private const byte SettingsFrame = 4;
    private const byte GoAwayFrame = 7;
    private const byte Http11Required = 13;
    private const int FrameHeaderBytes = 9;
    private const int GoAwayBytes = FrameHeaderBytes + 8;

    private static readonly TimeSpan WaitBudget = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan KeptFor = TimeSpan.FromSeconds(1);

    // The preface that every HTTP/2 client sends first, and empty settings.
    private static readonly byte[] Opening =
        [.. Encoding.ASCII.GetBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 0, 0, 0, SettingsFrame, 0, 0, 0, 0, 0];

    private readonly Lock _gate = new();
    private Task<string?>? _last;
    private long _lastAt;

    /// <summary>What listens at the address. Null: it speaks HTTP/2, or nothing can be said. Never throws.</summary>
    public Task<string?> FindAsync()
    {
        // A TLS failure explains itself.
        if (address.Scheme == Uri.UriSchemeHttps)
            return Task.FromResult<string?>(null);
        lock (_gate)
        {
            var isKept = _last is not null
                && (!_last.IsCompleted || TimeProvider.System.GetElapsedTime(_lastAt) < KeptFor);
            if (!isKept)
            {
                _lastAt = TimeProvider.System.GetTimestamp();
                _last = Task.Run(LookAsync);
            }

            return _last!;
        }
    }

    /// <summary>Whether a failure to connect leaves open what listens there: a connection was made, or may have been,
    /// and no HTTP/2 was spoken on it.</summary>
    public static bool MayExplain(Exception failure) =>
        failure is TimeoutException or IOException
            or HttpRequestException
        {
            HttpRequestError: not (HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError),
        };

    /// <summary>What the first bytes of an answer say about the peer. Null: HTTP/2.</summary>
    public static string? Judge(ReadOnlySpan<byte> answer)
    {
        if (answer.StartsWith("HTTP/1."u8) || IsGoAwayOfHttp1(answer))
        {
            return "it speaks HTTP/1 only, and Glue needs HTTP/2. Call the address where Glue listens "
                + "(Glue:Server:ListenAddress), or set the endpoint's Protocols to Http2.";
        }

        if (answer.Length > 1 && answer[0] == TlsAlert && answer[1] == TlsMajorVersion)
            return Tls;
        if (answer.Length > SettingsFrame && answer[0] == 0 && answer[3] == SettingsFrame)
            return null;
        return $"it speaks neither HTTP/2 nor TLS, but begins with '{TextOf(answer)}'. "
            + "Call the address where Glue listens (Glue:Server:ListenAddress).";
    }

    // Kestrel refuses HTTP/2 at an endpoint with HTTP/1 only in this way: GOAWAY with HTTP_1_1_REQUIRED.
    private static bool IsGoAwayOfHttp1(ReadOnlySpan<byte> answer) =>
        answer.Length >= GoAwayBytes && answer[3] == GoAwayFrame && answer[GoAwayBytes - 1] == Http11Required;

    private static string Tls =>
        "it speaks TLS, and the address asks for a connection without. Call an address without TLS where Glue "
            + "listens (Glue:Server:ListenAddress).";

    private async Task<string?> LookAsync()
    {
        using var timeout = new CancellationTokenSource(2 * WaitBudget, TimeProvider.System);
        try
        {
            var answer = await AskAsync(timeout.Token).ConfigureAwait(false);
            if (answer.Length > 0)
                return Judge(answer);
            return await IsTlsAsync(timeout.Token).ConfigureAwait(false)
                ? Tls
                : "it takes connections and does not answer as HTTP/2 does. Call the address where Glue listens "
                    + "(Glue:Server:ListenAddress).";
        }
        catch (Exception)
        {
            // No process accepts connections there now. The first failure has said all that is known.
            return null;
        }
    }

    private async Task<byte[]> AskAsync(CancellationToken cancellationToken)
    {
        var stream = await ConnectAsync(cancellationToken).ConfigureAwait(false);
        await using var closing = stream.ConfigureAwait(false);
        using var waitBudget = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var limit = new CancellationTokenSource(WaitBudget, TimeProvider.System);
        using var ending = limit.Token
            .UnsafeRegister(static source => ((CancellationTokenSource)source!).Cancel(), waitBudget);
        var answer = new byte[AnswerBytesMax];
        var count = 0;
        try
        {
            await stream.WriteAsync(Opening, waitBudget.Token).ConfigureAwait(false);
            count = await stream.ReadAtLeastAsync(
                answer, FrameHeaderBytes, throwOnEndOfStream: false, waitBudget.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or OperationCanceledException)
        {
            // The peer has closed the connection, or sends nothing.
        }

        return answer[..count];
    }

    private async Task<bool> IsTlsAsync(CancellationToken cancellationToken)
    {
        var isTls = false;
        var stream = await ConnectAsync(cancellationToken).ConfigureAwait(false);
        await using var closing = stream.ConfigureAwait(false);
        // The connection is never used. The probe only wants to see a certificate.
        var tls = new SslStream(stream, leaveInnerStreamOpen: true, (_, certificate, _, _) =>
        {
            isTls = certificate is not null;
            return false;
        });
        await using var ending = tls.ConfigureAwait(false);
        try
        {
            await tls.AuthenticateAsClientAsync(
                new SslClientAuthenticationOptions { TargetHost = address.Host }, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception)
        {
            // The handshake was refused by the callback above, or by a peer without TLS.
        }

        return isTls;
    }

    private async Task<Stream> ConnectAsync(CancellationToken cancellationToken)
    {
        if (UnixSocket.PathOf(address) is { } path)
            return await UnixSocket.ConnectAsync(path, cancellationToken).ConfigureAwait(false);
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(address.DnsSafeHost, address.Port, cancellationToken).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static string TextOf(ReadOnlySpan<byte> answer) => LogText.Clean(Encoding.Latin1.GetString(answer));
}
