namespace Cluster.Slim.Types;

/// <summary>Bears the code that an object has on the wire when the host has put a number in its place. Has no
/// instances.</summary>
internal sealed class HostReference
{
    private HostReference()
    {
    }
}
