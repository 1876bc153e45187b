namespace Cluster.Pile.Tests;

/// <summary>What must agree in every pile when nothing runs, and looks at raw slots.</summary>
internal static class PileChecks
{
    /// <summary>The slots in use are as many as objects and bodies; the bytes add up.</summary>
    public static void CountersAgree(LocalPile pile)
    {
        var s = pile.GetStatistics();
        var used = s.SizeClasses.Sum(c => c.Slots - c.FreeSlots - c.RetiredSlots);
        Assert.Equal(s.Objects + s.Links, used + s.LargeObjects);
        Assert.Equal(s.ReservedBytes, s.LiveBytes + s.BufferBytes + s.RecordBytes + s.FreeBytes + s.OverheadBytes);
        Assert.InRange(s.ReservedBytes, s.LiveBytes, s.BudgetBytes);
        Assert.InRange(s.OverheadBytes, s.Objects * 8, s.ReservedBytes);
        Assert.All(s.SizeClasses, c => Assert.InRange(c.FreeSlots, 0, c.Slots));
        Assert.All(s.SizeClasses, c => Assert.True(c.Slots * c.SlotBytes <= c.ReservedBytes));
    }

    public static void AllSlotsAreFree(LocalPile pile)
    {
        CountersAgree(pile);
        Assert.All(pile.GetStatistics().SizeClasses, c => Assert.Equal(c.Slots, c.FreeSlots + c.RetiredSlots));
    }

    /// <summary>The first bytes behind the header of a slot, whatever they are.</summary>
    public static byte[] SlotPayload(LocalPile pile, PilePointer pointer, int bytes)
    {
        var payload = new byte[bytes];
        pile.Window.CopyOut(pile.Layout.OriginOffset + ((pointer.Granule + 1) * PilePointer.GranuleBytes), payload);
        return payload;
    }
}
