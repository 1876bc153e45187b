namespace Cluster.Slim.Types;

/// <summary>The type whose code marks the host's number for an object in a message. Has no instances.</summary>
internal sealed class HostReference
{
    private HostReference()
    {
    }
}
