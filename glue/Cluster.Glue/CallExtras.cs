using System.Security.Claims;

namespace Cluster.Glue;

/// <summary>What few served calls need, so that others do not pay for it. Used like the call itself.</summary>
internal sealed class CallExtras
{
    private GlueHeaders? _replyHeaders;

    public GlueHeaders ReplyHeaders => _replyHeaders ??= new GlueHeaders();

    /// <summary>The header block that goes back; empty for none.</summary>
    public byte[] ReplyBlock => _replyHeaders?.ToBlock() ?? [];

    /// <summary>Who calls, once that was asked for.</summary>
    public ClaimsPrincipal? User { get; set; }

    public CallChain? Chain { get; set; }
}
