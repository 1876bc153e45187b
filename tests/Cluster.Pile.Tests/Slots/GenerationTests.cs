using Cluster.Pile.Layout;

namespace Cluster.Pile.Tests.Slots;

/// <summary>Masks, and what happens when generations run out.</summary>
public sealed class GenerationTests
{
    [Fact]
    public void Mask_ForthAndBack_GivesTheCounter()
    {
        var mask = GenerationMask.CreateRandom();
        for (uint counter = 0; counter < 1000; counter++)
        {
            var generation = mask.ToGeneration(counter, counter * 77);
            Assert.InRange(generation, 0u, GenerationMask.CounterMax);
            Assert.Equal(counter, mask.ToCounter(generation, counter * 77));
        }
    }

    [Fact]
    public void Mask_OfNeighboursAndOfOtherSecrets_Differs()
    {
        var (one, other) = (GenerationMask.CreateRandom(), GenerationMask.CreateRandom());
        var equal = 0;
        for (long granule = 1; granule < 200_000; granule++)
        {
            var generation = one.ToGeneration(5, granule);
            equal += generation == one.ToGeneration(5, granule + 1) || generation == other.ToGeneration(5, granule) ? 1 : 0;
        }

        Assert.InRange(equal, 0, 2);
    }

    [Theory]
    [InlineData(40)]
    [InlineData(400_000)]
    public void Slot_WhoseGenerationsRunOut_IsNeverUsedAgain(int size)
    {
        var options = new PileOptions
        {
            BudgetBytes = 4 * Piles.MiB,
            GenerationFirst = GenerationMask.CounterMax - 3,
        };
        using var pile = new LocalPile(options);
        var issued = new HashSet<PilePointer>();
        try
        {
            // Four lives per slot, then the pile has no slots left.
            for (var i = 0; i < 2_000_000; i++)
            {
                var pointer = pile.Put(new byte[size].AsSpan());
                Assert.True(issued.Add(pointer), "A pointer came back.");
                Assert.True(pile.Delete(pointer));
                Assert.True(i % 97 != 0 || !pile.Delete(pointer));
            }

            Assert.Fail("Generations never ran out.");
        }
        catch (PileFullException)
        {
            Assert.Equal(0, pile.GetStatistics().Objects);
            Assert.Equal(issued.Count, issued.Count(pointer => !pile.Delete(pointer)));
        }
    }

    [Fact]
    public void Header_NextLifeOfTheLast_IsRetired()
    {
        using var pile = new LocalPile(new PileOptions { GenerationFirst = GenerationMask.CounterMax });
        var pointer = pile.Put("abc"u8);
        Assert.True(pile.Delete(pointer));
        var header = new SlotHeader(pile.Window.ReadWord(pile.Layout.OriginOffset + (pointer.Granule * 8)));
        Assert.Equal((SlotState.Retired, pointer.Generation), (header.State, header.Generation));
        Assert.Equal(1, pile.GetStatistics().SizeClasses.Sum(c => c.RetiredSlots));
        Assert.Throws<InvalidPilePointerException>(() => pile.SizeOf(pointer));
    }

    [Fact]
    public void Pointer_AsNumber_RoundTripsAndCompares()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put("abc"u8);
        var again = PilePointer.FromUInt64(pointer.ToUInt64());
        Assert.True(pointer == again && !(pointer != again) && pointer.Equals((object)again));
        Assert.Equal(pointer.GetHashCode(), again.GetHashCode());
        Assert.NotEqual(default, pointer);
        Assert.False(pointer.IsDefault);
        Assert.Matches("^[0-9a-f]{7}:[0-9a-f]{9}$", pointer.ToString());
    }
}
