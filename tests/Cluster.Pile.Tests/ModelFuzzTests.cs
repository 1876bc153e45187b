namespace Cluster.Pile.Tests;

/// <summary>
/// Acceptance case 5 of the pile in short form: random operations against a dictionary; a failure names its seed.
/// </summary>
public sealed class ModelFuzzTests
{
    private const int Operations = 300_000;

    [Theory]
    [InlineData(1, 64 * 1024)]
    [InlineData(2, 600)]
    [InlineData(3, 3_000_000)]
    public void RandomOperations_AgreeWithModel(int seed, int sizeMax)
    {
        var operations = sizeMax > 1_000_000 ? Operations / 20 : Operations;
        using var pile = Piles.Create(48 * Piles.MiB);
        var run = new Run(pile, new Random(seed), sizeMax);
        for (var i = 0; i < operations; i++)
        {
            try
            {
                run.Step((ulong)i);
                if (i % (operations / 3) == 0)
                    run.Validate();
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"seed {seed}, sizes to {sizeMax}, operation {i}: {e.Message}", e);
            }
        }

        run.Validate();
        run.DeleteAll();
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
    }

    private sealed class Run(LocalPile pile, Random random, int sizeMax)
    {
        private readonly List<(PilePointer Pointer, ulong Seed, int Size)> _live = [];
        private readonly List<PilePointer> _stale = [];
        private readonly byte[] _buffer = new byte[sizeMax];
        private int _refused;

        public void Step(ulong seed)
        {
            var roll = random.Next(100);
            if (roll < 40 || _live.Count == 0)
                Put(seed);
            else if (roll < 70)
                Read(random.Next(_live.Count));
            else if (roll < 90)
                Replace(random.Next(_live.Count), seed);
            else
                Delete(random.Next(_live.Count));
        }

        public void Validate()
        {
            for (var i = 0; i < _live.Count; i++)
                Read(i);
            Assert.All(_stale, pointer => Assert.False(pile.Delete(pointer)));
            Assert.Equal(_live.Count, pile.GetStatistics().Objects);
            Assert.Equal(_live.Sum(entry => (long)entry.Size), pile.GetStatistics().LiveBytes);
            PileChecks.CountersAgree(pile);
        }

        public void DeleteAll()
        {
            while (_live.Count > 0)
                Delete(_live.Count - 1);
        }

        private void Put(ulong seed)
        {
            var payload = NextPayload(seed);
            try
            {
                _live.Add((pile.Put(payload), seed, payload.Length));
            }
            catch (PileFullException)
            {
                MakeRoom();
            }
        }

        private void Replace(int index, ulong seed)
        {
            var payload = NextPayload(seed);
            try
            {
                pile.Put(_live[index].Pointer, payload);
                _live[index] = (_live[index].Pointer, seed, payload.Length);
            }
            catch (PileFullException)
            {
                Read(index);
                MakeRoom();
            }
        }

        private void Read(int index)
        {
            var (pointer, seed, size) = _live[index];
            Assert.Equal(size, pile.Read(pointer, _buffer));
            Assert.True(Piles.IsPayload(_buffer.AsSpan(0, size), seed));
        }

        private void Delete(int index)
        {
            Assert.True(pile.Delete(_live[index].Pointer));
            if (_stale.Count < 10_000)
                _stale.Add(_live[index].Pointer);
            _live[index] = _live[^1];
            _live.RemoveAt(_live.Count - 1);
        }

        private void MakeRoom()
        {
            _refused++;
            for (var i = _live.Count / 10; i >= 0 && _live.Count > 0; i--)
                Delete(random.Next(_live.Count));
        }

        private byte[] NextPayload(ulong seed)
            => Piles.Payload(seed, (int)Math.Pow(sizeMax + 1, random.NextDouble()) - 1);
    }
}
