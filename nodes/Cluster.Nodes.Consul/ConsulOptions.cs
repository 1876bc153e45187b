namespace Cluster.Nodes.Consul;

/// <summary>What a user says about Consul; bound from the configuration section <c>Cluster:Consul</c>. Checked when the
/// host starts, then copied; later changes are not seen.</summary>
public sealed class ConsulOptions
{
    /// <summary>The configuration section that is bound to these options.</summary>
    public const string SectionName = "Cluster:Consul";

    internal const string AddressDefault = "http://127.0.0.1:8500";

    /// <summary>Where the Consul agent of this machine answers. Use https where that is not on loopback.</summary>
    /// <value><c>http://127.0.0.1:8500</c> by default.</value>
    public string Address { get; set; } = AddressDefault;

    /// <summary>The ACL token. It needs the rights <c>key_prefix "cluster/" write</c>, <c>service_prefix "" write</c>,
    /// <c>session_prefix "" write</c>, <c>node_prefix "" read</c> and <c>agent_prefix "" read</c>. Never
    /// logged.</summary>
    /// <value>Null by default: Consul's anonymous token.</value>
    public string? Token { get; set; }

    /// <summary>Whether the token may travel over plain http to another machine, where everybody on the way can read
    /// it. Without this, a token needs https or an agent on a loopback address.</summary>
    /// <value>False by default.</value>
    public bool AllowTokenOverHttp { get; set; }

    /// <summary>A PEM file with the certificates of the only authorities from which the certificate of the agent may
    /// come. Needs https. All three files are read again for each new connection, so they can be replaced without a
    /// restart.</summary>
    /// <value>Null by default: the authorities that the machine trusts.</value>
    public string? AuthorityFile { get; set; }

    /// <summary>A PEM file with the certificate that this process shows, for an agent that asks for one
    /// (<c>verify_incoming</c>). Needs https.</summary>
    /// <value>Null by default: none.</value>
    public string? CertificateFile { get; set; }

    /// <summary>A PEM file with the private key of the certificate.</summary>
    /// <value>Null by default: the key is in <see cref="CertificateFile"/>.</value>
    public string? KeyFile { get; set; }
}
