using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Channels;

/// <summary>The name and form of one method in the unary requests of one channel. A link agrees on them by binding; a
/// unary channel learns them from refusals, so that servers of the same build are asked nothing. Immutable; a refusal
/// may lead to another form.</summary>
internal sealed class UnaryMethodForm
{
    private readonly int _hashIndex;

    public UnaryMethodForm(ClientMethod method)
        : this(method, 0, isDescribed: false)
    {
    }

    private UnaryMethodForm(ClientMethod method, int hashIndex, bool isDescribed)
    {
        Method = method;
        _hashIndex = hashIndex;
        IsDescribed = isDescribed;
        Headers = HeadersOf(method, isDescribed);
    }

    public ClientMethod Method { get; }

    /// <summary>The name of the method on the server.</summary>
    public ulong SignatureHash => Method.Contract.SignatureHashes[_hashIndex];

    /// <summary>Whether messages describe their types.</summary>
    public bool IsDescribed { get; }

    public ReadOnlyMemory<byte> Headers { get; }

    /// <summary>The form with an older name to try after a refusal; null when there is none.</summary>
    public UnaryMethodForm? After(GlueErrorCode refusal) =>
        refusal is GlueErrorCode.UnknownMethod or GlueErrorCode.UnknownContract
            && _hashIndex + 1 < Method.Contract.SignatureHashes.Length
                ? new UnaryMethodForm(Method, _hashIndex + 1, IsDescribed)
                : null;

    /// <summary>Whether the server can explain a refusal.</summary>
    public bool AsksAfter(GlueErrorCode refusal) =>
        refusal is GlueErrorCode.UnknownMethod or GlueErrorCode.UnknownContract
            || (refusal == GlueErrorCode.LayoutMismatch && !IsDescribed);

    /// <summary>The form after the server has explained, or its refusal. A refusal is not kept: another build may
    /// answer later.</summary>
    public UnaryMethodForm? After(BindResults bindResults, string address, out GlueException? refusal)
    {
        var handle = Method.Contract.Index - Method.Group.FirstMethodIndex;
        refusal = null;
        foreach (var difference in bindResults.Differences)
        {
            if (difference.Handle == handle)
                refusal = Method.Judge(difference, address);
        }

        return refusal is null ? new UnaryMethodForm(Method, _hashIndex, isDescribed: true) : null;
    }

    /// <summary>Why an answer refuses its call. Unknown: it does not.</summary>
    public static GlueErrorCode RefusalIn(ReadOnlySpan<byte> payload)
    {
        var batch = BatchHead.Open(payload, out _);
        if (batch.AtEnd)
            return GlueErrorCode.Unknown;
        var envelope = Envelope.Read(ref batch);
        return envelope.Kind == EnvelopeKind.Fault ? FaultCodec.CodeOf(envelope.Body) : GlueErrorCode.Unknown;
    }

    private static byte[] HeadersOf(ClientMethod method, bool isDescribed)
    {
        var typeArguments = TypeArgumentNames.ToHeaders(method.TypeArguments);
        if (!isDescribed)
            return typeArguments;
        var headers = new WireBuffer(256, int.MaxValue);
        headers.WriteBytes(typeArguments);
        HeaderBlock.WriteBinary(headers, HeaderBlock.Described, [1]);
        var bytes = headers.WrittenSpan.ToArray();
        headers.Reset();
        return bytes;
    }
}
