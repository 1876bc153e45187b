namespace Cluster.Glue.Wire;

/// <summary>One received envelope. Its blocks lie in the receive buffer and are valid until the next message is
/// received.</summary>
internal readonly ref struct Envelope
{
    private static readonly PooledBytes NoBody = new([], 0);

    private Envelope(EnvelopeKind kind, ulong callId)
    {
        Kind = kind;
        CallId = callId;
    }

    public EnvelopeKind Kind { get; }

    public ulong CallId { get; }

    /// <summary>The method handle, or the signature hash when <see cref="IsNamed"/>.</summary>
    public ulong Method { get; private init; }

    public ulong ContractHash { get; private init; }

    public ulong LayoutFingerprint { get; private init; }

    public bool IsNamed { get; private init; }

    /// <summary>The id of the called object; 0: the service.</summary>
    public ulong Target { get; private init; }

    /// <summary>The chain of calls to which the call belongs; 0: the call is the first.</summary>
    public ulong Chain { get; private init; }

    /// <summary>The line of a one-way call, or of a call that follows those; 0: none.</summary>
    public ulong Line { get; private init; }

    public ulong RemainingMilliseconds { get; private init; }

    public ReadOnlySpan<byte> Headers { get; private init; }

    public ReadOnlySpan<byte> Body { get; private init; }

    /// <summary>The body in a separate array, which the handler takes over; null for most envelopes.</summary>
    public PooledBytes? OwnBody { get; private init; }

    /// <summary>When the remaining time in the first chunk was correct, as a timestamp; 0: the envelope did not come in
    /// chunks.</summary>
    public long BeganAt { get; private init; }

    public static Envelope Read(scoped ref WireReader reader) => Read(ref reader, null, 0);

    /// <summary>Makes the envelope whose body arrived in chunks.</summary>
    /// <param name="head">The bytes before the body's length.</param>
    /// <param name="body">The body.</param>
    /// <param name="beganAt">When the remaining time in the first chunk was correct, as a timestamp.</param>
    public static Envelope Join(ReadOnlySpan<byte> head, PooledBytes body, long beganAt)
    {
        var reader = new WireReader(head);
        return Read(ref reader, body, beganAt);
    }

    /// <summary>Reads the bytes before the length of the body.</summary>
    public static Envelope ReadHead(scoped ref WireReader reader) => Read(ref reader, NoBody, 0);

    private static Envelope Read(scoped ref WireReader reader, PooledBytes? body, long beganAt)
    {
        var first = reader.ReadByte("envelope kind");
        var kind = (EnvelopeKind)(first & GlueWire.KindMask);
        if (kind is EnvelopeKind.None or > EnvelopeKind.Proven)
            throw new WireException($"envelope kind: 0x{first:x2} is not known here.");
        var isFollowing = kind == EnvelopeKind.Following;
        if (isFollowing)
            kind = EnvelopeKind.Call;
        var callId = reader.ReadVarint("call id");
        var isNamed = (first & GlueWire.FlagNamedMethod) != 0;
        var hasTarget = (first & GlueWire.FlagTarget) != 0;
        var isRequest = kind is EnvelopeKind.Call or EnvelopeKind.OneWay;
        if ((isNamed || hasTarget) && !isRequest)
            throw new WireException($"envelope kind: 0x{first:x2} names what is called but is no request.");
        ulong contract = 0, method = 0, fingerprint = 0, target = 0, chain = 0, line = 0, remaining = 0;
        if (isRequest)
        {
            contract = isNamed ? reader.ReadUInt64("contract hash") : 0;
            method = isNamed ? reader.ReadUInt64("signature hash") : reader.ReadVarint("method handle");
            fingerprint = isNamed ? reader.ReadUInt64("layout fingerprint") : 0;
            target = hasTarget ? reader.ReadVarint("target") : 0;
            chain = hasTarget ? reader.ReadVarint("chain") : 0;
            line = isFollowing ? reader.ReadVarint("line") : kind == EnvelopeKind.OneWay ? callId : 0;
            remaining = reader.ReadVarint("remaining time");
        }

        ReadOnlySpan<byte> headers = default;
        if ((first & GlueWire.FlagHeaders) != 0)
            headers = reader.ReadBytes(reader.ReadLength(GlueLimits.HeaderBytesMax, "headers"), "headers");
        return new Envelope(kind, callId)
        {
            ContractHash = contract,
            Method = method,
            LayoutFingerprint = fingerprint,
            IsNamed = isNamed,
            Target = target,
            Chain = chain,
            Line = line,
            RemainingMilliseconds = remaining,
            Headers = headers,
            Body = body is null ? reader.ReadBlock("body") : body.Span,
            OwnBody = body,
            BeganAt = beganAt,
        };
    }
}
