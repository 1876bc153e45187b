using Cluster.Pile;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Keeps a text in a pile.</summary>
internal static class Objects
{
    public static string Keep(LocalPile pile, string text)
    {
        var pointer = pile.Put(text);
        return pile.Get<string>(pointer);
    }
}
