using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.ObjectModel;

/// <summary>Fills a collection whose members the user has overridden, and turns errors of that code into exceptions of
/// Slim.</summary>
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
