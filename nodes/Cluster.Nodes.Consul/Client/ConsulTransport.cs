using Cluster.Contracts.Pacing;
using Cluster.Nodes.Stores;

namespace Cluster.Nodes.Consul.Client;

/// <summary>Sends requests to the Consul agent and returns its answers, each within its deadline. Polls and short calls
/// have separate connections, so that a heartbeat never queues behind a poll. Owned by the store; immutable but for the
/// leader watch.</summary>
internal sealed class ConsulTransport : IDisposable
{
    private const string TlsRemedy =
        $" If it is not trusted here, set {nameof(ConsulOptions.AuthorityFile)} to the authority of its certificate; "
        + $"if it asks for a certificate, set {nameof(ConsulOptions.CertificateFile)}.";

    private readonly HttpClient _short;
    private readonly HttpClient _poll;
    private readonly string? _token;
    private readonly bool _isEncrypted;
    private readonly TimeProvider _time;
    private readonly Jitter _jitter;
    private readonly LeaderWatch _leader;

    public ConsulTransport(
        ConsulOptions options, ConsulWaitBudget budget, TimeProvider time, Jitter jitter, LeaderWatch leader)
    {
        var address = new Uri(options.Address);
        Place = $"Consul at {address.GetLeftPart(UriPartial.Authority)}";
        _token = options.Token;
        _time = time;
        _jitter = jitter;
        _leader = leader;
        _isEncrypted = address.Scheme == Uri.UriSchemeHttps;
        var tls = new ConsulTls(options);
        _short = NewClient(address, tls, budget.Connect, ConsulLimits.ShortConnectionsMax);
        _poll = NewClient(address, tls, budget.Connect, ConsulLimits.PollConnectionsMax);
    }

    /// <summary>The address of this Consul, for messages.</summary>
    public string Place { get; }

    /// <summary>Sends a request, and sends it again as long as the deadline allows while Consul cannot answer for
    /// now.</summary>
    /// <param name="request">The request. It may reach Consul more than once.</param>
    /// <param name="deadline">When to give up, attempts and pauses together.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>An answer that is no temporary failure and no refused token.</returns>
    public async Task<ConsulReply> CallAsync(
        ConsulRequest request, TimeSpan deadline, CancellationToken cancellationToken)
    {
        var started = _time.GetTimestamp();
        var backoff = new Backoff(ConsulLimits.RetryDelayMin, ConsulLimits.RetryDelayMax, _jitter);
        Exception? told = null;
        while (true)
        {
            var left = deadline - _time.GetElapsedTime(started);
            var (reply, failure) = await AttemptAsync(_short, request, left, cancellationToken).ConfigureAwait(false);
            if (reply is { } answer)
                return answer;

            // The last attempt mostly runs out of time, which says nothing; what an earlier one was told does.
            told = failure ?? told;
            var delay = backoff.Next();
            if (_time.GetElapsedTime(started) + delay >= deadline)
                throw Unreachable(deadline, told);
            await Task.Delay(delay, _time, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Asks once, for an answer that Consul may hold back.</summary>
    /// <param name="request">What to ask.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task<ConsulReply> PollAsync(ConsulRequest request, CancellationToken cancellationToken)
    {
        var (reply, failure) = await AttemptAsync(_poll, request, ConsulLimits.PollDeadline, cancellationToken)
            .ConfigureAwait(false);
        return reply ?? throw Unreachable(ConsulLimits.PollDeadline, failure);
    }

    /// <summary>The error for a token that is missing, unknown or lacks a right.</summary>
    /// <param name="what">Consul's words.</param>
    public ClusterStoreException Denied(string what) => new(
        ClusterStoreError.Denied,
        $"{Place} refused {(_token is null ? "access without a token" : "the token")} ({what}). Set "
        + $"{ConsulOptions.SectionName}:{nameof(ConsulOptions.Token)} to a token with the rights key_prefix "
        + "\"cluster/\" write, "
        + "service_prefix \"\" write, session_prefix \"\" write, node_prefix \"\" read and agent_prefix \"\" read.");

    public void Dispose()
    {
        _short.Dispose();
        _poll.Dispose();
    }

    private async Task<(ConsulReply? Reply, Exception? Failure)> AttemptAsync(
        HttpClient client, ConsulRequest request, TimeSpan deadline, CancellationToken cancellationToken)
    {
        using var timer = new CancellationTokenSource(deadline > TimeSpan.Zero ? deadline : TimeSpan.Zero, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timer.Token);
        try
        {
            return Judge(await SendAsync(client, request, both.Token).ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return (null, null);
        }
        catch (Exception failure) when (failure is HttpRequestException or IOException)
        {
            return (null, failure);
        }
    }

    private async Task<ConsulReply> SendAsync(
        HttpClient client, ConsulRequest request, CancellationToken cancellationToken)
    {
        using var message = new HttpRequestMessage(request.Method, request.Path);
        if (_token is not null)
            message.Headers.TryAddWithoutValidation("X-Consul-Token", _token);
        if (request.Body is not null)
            message.Content = new ByteArrayContent(request.Body);
        using var response = await client.SendAsync(message, cancellationToken).ConfigureAwait(false);
        var index = response.Headers.TryGetValues("X-Consul-Index", out var values)
            && ulong.TryParse(values.FirstOrDefault(), NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            ? value
            : 0;
        return new ConsulReply(
            response.StatusCode, index, await response.Content.ReadAsByteArrayAsync(cancellationToken)
                .ConfigureAwait(false));
    }

    private (ConsulReply? Reply, Exception? Failure) Judge(ConsulReply reply)
    {
        if (reply.Status == HttpStatusCode.Forbidden)
            throw Denied(reply.Quote());
        if (!IsTemporary(reply))
        {
            _leader.SeenLeader();
            return (reply, null);
        }

        if (IsLeaderless(reply))
            _leader.MissedLeader();
        return (null, new HttpRequestException($"HTTP {(int)reply.Status}: {reply.Quote()}"));
    }

    private static bool IsTemporary(ConsulReply reply) =>
        reply.Status is HttpStatusCode.TooManyRequests or HttpStatusCode.BadGateway or HttpStatusCode.ServiceUnavailable
            or HttpStatusCode.GatewayTimeout
        || (reply.Status == HttpStatusCode.InternalServerError && (IsLeaderless(reply) || IsTrouble(reply)));

    private static bool IsLeaderless(ConsulReply reply) =>
        reply.Says("No cluster leader"u8) || reply.Says("leadership lost"u8) || reply.Says("node is not the leader"u8);

    private static bool IsTrouble(ConsulReply reply) =>
        reply.Says("rpc error"u8) || reply.Says("No known Consul servers"u8) || reply.Says("No path to datacenter"u8)
        || reply.Says("connection refused"u8) || reply.Says("Missing check"u8) || reply.Says("in critical state"u8);

    private ClusterStoreException Unreachable(TimeSpan deadline, Exception? failure)
    {
        var cause = failure is null ? "no answer" : failure.GetBaseException().Message;
        return new ClusterStoreException(
            ClusterStoreError.Unreachable,
            $"{Place} did not answer within {deadline.TotalSeconds:0.#} s ({cause}). Start its agent, or correct "
            + $"{ConsulOptions.SectionName}:{nameof(ConsulOptions.Address)}.{(_isEncrypted ? TlsRemedy : "")}",
            failure);
    }

    private static HttpClient NewClient(Uri address, ConsulTls tls, TimeSpan connectDeadline, int connectionsMax)
    {
        var handler = new SocketsHttpHandler
        {
            SslOptions = tls.ToOptions(),
            MaxConnectionsPerServer = connectionsMax,
            ConnectTimeout = connectDeadline,
            PooledConnectionLifetime = ConsulLimits.ConnectionAgeMax,
            AllowAutoRedirect = false,
            UseCookies = false,
            UseProxy = false,
        };
        return new HttpClient(handler, disposeHandler: true)
        {
            BaseAddress = address,
            Timeout = Timeout.InfiniteTimeSpan,
            MaxResponseContentBufferSize = ConsulLimits.ReplyBytesMax,
        };
    }
}
