using Cluster.Pile;
using Cluster.Pile.Cells;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Keeps bytes in a cell.</summary>
internal static class CellValues
{
    public static void Keep(LocalPile pile, byte[] bytes) => CellTable.GetOrCreate(pile, "cells").Save(1, 1, bytes);
}
