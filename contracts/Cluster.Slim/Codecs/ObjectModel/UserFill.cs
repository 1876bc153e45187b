using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.ObjectModel;

/// <summary>Runs a fill that calls overridden members of a user's collection.</summary>
internal static class UserFill
{
    public static void Run(Action fill)
    {
        try
        {
            fill();
        }
        catch (Exception e) when (e is not SlimException and not OutOfMemoryException)
        {
            throw Throw.Failed("A collection refused its own content.", e);
        }
    }
}
