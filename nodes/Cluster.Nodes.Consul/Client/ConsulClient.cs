using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Cluster.Nodes.Consul.Messages;
using Cluster.Nodes.Stores;

namespace Cluster.Nodes.Consul.Client;

/// <summary>The calls of Consul's HTTP interface that a cluster store needs, typed. Owned by the store; has no state
/// but its transport.</summary>
internal sealed class ConsulClient(ConsulTransport transport, ConsulWaitBudget budget) : IDisposable
{
    /// <summary>The address of this Consul, for messages.</summary>
    public string Place => transport.Place;

    /// <summary>Reads one key as the leader knows it, or answers <c>null</c> where it is missing.</summary>
    public async Task<KeyValueEntry?> ReadKeyAsync(string key, CancellationToken cancellationToken)
    {
        var reply = await CallAsync(ConsulRequest.Get($"/v1/kv/{key}?consistent"), cancellationToken)
            .ConfigureAwait(false);
        if (reply.Status == HttpStatusCode.NotFound)
            return null;
        return Parse(reply, ConsulJson.Default.KeyValueEntryArray) is [var entry] ? entry : throw Unexpected(reply);
    }

    /// <summary>Reads several keys of one moment, or answers <c>null</c> where one is missing. Consul treats a key that
    /// the token may not read as missing here, which <see cref="ReadKeyAsync"/> can tell apart.</summary>
    /// <param name="keys">The keys, at most 64.</param>
    /// <param name="consistency"><c>consistent</c> or <c>stale</c>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task<KeyValueEntry[]?> ReadKeysAsync(
        string[] keys, string consistency, CancellationToken cancellationToken)
    {
        TransactionOperation[] operations = [.. keys.Select(
            key => new TransactionOperation(KeyValueOperation.Get(key)))];
        var body = JsonSerializer.SerializeToUtf8Bytes(operations, ConsulJson.Default.TransactionOperationArray);
        var reply = await CallAsync(ConsulRequest.Put($"/v1/txn?{consistency}", body), cancellationToken)
            .ConfigureAwait(false);
        if (reply.Status == HttpStatusCode.Conflict)
        {
            CheckAllowed(Parse(reply, ConsulJson.Default.TransactionReply, HttpStatusCode.Conflict));
            return null;
        }

        var results = Parse(reply, ConsulJson.Default.TransactionReply).Results ?? [];
        return results.Length == keys.Length ? [.. results.Select(result => result.KeyValue)] : null;
    }

    /// <summary>Executes all steps or none. The request may reach Consul twice, so its steps must be
    /// conditional.</summary>
    /// <param name="steps">The steps.</param>
    /// <param name="cancellationToken">Ends the wait; the outcome is then unknown.</param>
    public async Task<TransactionReply> TransactAsync(
        IEnumerable<KeyValueOperation> steps, CancellationToken cancellationToken)
    {
        TransactionOperation[] operations = [.. steps.Select(step => new TransactionOperation(step))];
        var body = JsonSerializer.SerializeToUtf8Bytes(operations, ConsulJson.Default.TransactionOperationArray);
        if (body.Length > ConsulLimits.TransactionBytesMax)
            throw TooLarge(body.Length);
        var reply = await CallAsync(ConsulRequest.Put("/v1/txn", body), cancellationToken).ConfigureAwait(false);
        if (reply.Status == HttpStatusCode.RequestEntityTooLarge)
            throw TooLarge(body.Length);
        if (reply.Status != HttpStatusCode.Conflict)
            return Parse(reply, ConsulJson.Default.TransactionReply);
        return CheckAllowed(Parse(reply, ConsulJson.Default.TransactionReply, HttpStatusCode.Conflict));
    }

    /// <summary>Reads a key's bytes from any server, after a change beyond the index or after the time of a long
    /// poll.</summary>
    /// <param name="key">The key.</param>
    /// <param name="index">The index that the last poll returned; zero for an answer at once.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task<ConsulReply> PollKeyAsync(string key, ulong index, CancellationToken cancellationToken)
    {
        var wait = index == 0 ? "" : $"&index={index}&wait={(int)ConsulLimits.PollWait.TotalSeconds}s";
        var reply = await transport.PollAsync(ConsulRequest.Get($"/v1/kv/{key}?raw&stale{wait}"), cancellationToken)
            .ConfigureAwait(false);
        return reply.IsSuccess || reply.Status == HttpStatusCode.NotFound ? reply : throw Unexpected(reply);
    }

    public async Task RegisterServiceAsync(ConsulServiceRegistration service, CancellationToken cancellationToken)
    {
        var body = JsonSerializer.SerializeToUtf8Bytes(service, ConsulJson.Default.ConsulServiceRegistration);
        Expect(await CallAsync(ConsulRequest.Put("/v1/agent/service/register", body), cancellationToken)
            .ConfigureAwait(false));
    }

    public async Task DeregisterServiceAsync(string serviceId, CancellationToken cancellationToken)
    {
        var reply = await CallAsync(ConsulRequest.Put($"/v1/agent/service/deregister/{serviceId}"), cancellationToken)
            .ConfigureAwait(false);
        if (reply.Status != HttpStatusCode.NotFound && !reply.Says("Unknown service"u8))
            Expect(reply);
    }

    /// <summary>Reports that a check is healthy.</summary>
    /// <returns><c>false</c> when the agent does not know the check.</returns>
    public async Task<bool> PassCheckAsync(string checkId, CancellationToken cancellationToken)
    {
        var reply = await transport.CallAsync(
            ConsulRequest.Put($"/v1/agent/check/pass/{checkId}"), budget.Beat, cancellationToken).ConfigureAwait(false);
        var isUnknown = reply.Status == HttpStatusCode.NotFound
            || reply.Says("does not have associated TTL"u8)
            || reply.Says("Unknown check"u8);
        if (!isUnknown)
            Expect(reply);
        return !isUnknown;
    }

    /// <summary>Creates a session and returns its id.</summary>
    public async Task<string> CreateSessionAsync(SessionRequest session, CancellationToken cancellationToken)
    {
        var body = JsonSerializer.SerializeToUtf8Bytes(session, ConsulJson.Default.SessionRequest);
        var reply = await CallAsync(ConsulRequest.Put("/v1/session/create", body), cancellationToken)
            .ConfigureAwait(false);
        return Parse(reply, ConsulJson.Default.SessionCreated).Id;
    }

    /// <summary>Ends a session, which releases its locks. A session that has ended already is no error.</summary>
    public async Task DestroySessionAsync(string session, CancellationToken cancellationToken) =>
        Expect(await CallAsync(ConsulRequest.Put($"/v1/session/destroy/{session}"), cancellationToken)
            .ConfigureAwait(false));

    /// <summary>Locks a key for a session, if another key has not changed since it was read.</summary>
    /// <param name="locking">The step that locks.</param>
    /// <param name="unchanged">The step that checks the other key.</param>
    /// <param name="cancellationToken">Ends the wait; the outcome is then unknown.</param>
    public async Task<LockOutcome> AcquireAsync(
        KeyValueOperation locking, KeyValueOperation unchanged, CancellationToken cancellationToken)
    {
        var reply = await TransactAsync([unchanged, locking], cancellationToken).ConfigureAwait(false);
        if (reply.Errors is null or [])
            return LockOutcome.Acquired;
        return reply.Errors.Any(error => error.What.Contains("invalid session", StringComparison.Ordinal))
            ? LockOutcome.SessionGone
            : LockOutcome.Taken;
    }

    public void Dispose() => transport.Dispose();

    private Task<ConsulReply> CallAsync(ConsulRequest request, CancellationToken cancellationToken) =>
        transport.CallAsync(request, budget.Call, cancellationToken);

    private T Parse<T>(ConsulReply reply, JsonTypeInfo<T> type, HttpStatusCode expected = HttpStatusCode.OK)
    {
        if (reply.Status != expected)
            throw Unexpected(reply);
        try
        {
            return JsonSerializer.Deserialize(reply.Body, type) ?? throw Unexpected(reply);
        }
        catch (JsonException)
        {
            throw Unexpected(reply);
        }
    }

    // Inside a transaction a missing right has no status of its own. It is one of the reasons for a refusal.
    private TransactionReply CheckAllowed(TransactionReply reply)
    {
        var denied = reply.Errors?.FirstOrDefault(
            error => error.What.Contains("Permission denied", StringComparison.OrdinalIgnoreCase));
        return denied is null ? reply : throw transport.Denied(
            LogText.Clean(denied.What, ConsulLimits.QuoteLengthMax));
    }

    private void Expect(ConsulReply reply)
    {
        if (!reply.IsSuccess)
            throw Unexpected(reply);
    }

    private ClusterStoreException Unexpected(ConsulReply reply) => new(
        ClusterStoreError.Unreachable,
        $"{Place} answered {(int)reply.Status} ({reply.Quote()}), which a Consul agent in working order does not. "
        + "Look at its log, and check that Cluster:Consul:Address is that of a Consul agent.");

    private ClusterStoreException TooLarge(int length) => new(
        ClusterStoreError.Unusable,
        $"The cluster table takes {length} bytes, {Place} accepts {ConsulLimits.TransactionBytesMax} in one "
        + "transaction. Run fewer nodes, or create the cluster with fewer partitions (Cluster:PartitionCount).");
}
