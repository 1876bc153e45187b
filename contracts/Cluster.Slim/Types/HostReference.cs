namespace Cluster.Slim.Types;

/// <summary>Has the type code under which a message carries the host's number for an object. Has no
/// instances.</summary>
internal sealed class HostReference
{
    private HostReference()
    {
    }
}
