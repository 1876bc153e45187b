using System.Security.Cryptography;
using Cluster.Pile;

namespace Cluster.Buffers.Tests;

/// <summary>Leases, frees and reuse by many threads at once, 50 times over.</summary>
public sealed class BufferStormTests
{
    private const int Rounds = 50;
    private const int Threads = 4;
    private const int Steps = 1500;

    [Fact]
    public void LeasedBuffer_IsNeverFreedOrReused()
    {
        for (var round = 0; round < Rounds; round++)
        {
            var budget = Budgets.Create(64 * Budgets.MiB);
            var seed = RandomNumberGenerator.GetInt32(int.MaxValue);

            // Each slot holds a handle, whose buffer is filled with that handle.
            var slots = new ulong[8];
            RunAll(thread => Storm(budget, slots, new Random(seed + thread)), $"seed {seed}");
            foreach (var slot in slots)
                new PileBuffer<ulong>(slot).Free();
            Budgets.CheckEmptyAndClose(budget);
        }
    }

    [Fact]
    public void Free_ByManyThreads_HappensOnce()
    {
        for (var round = 0; round < Rounds; round++)
        {
            var budget = Budgets.Create(64 * Budgets.MiB);
            var buffers = Enumerable.Range(0, 500)
                .Select(i => PileBuffer.Create<int>(budget.Heap, i, BufferFill.Uninitialized)).ToArray();
            var freed = 0;
            RunAll(_ => Interlocked.Add(ref freed, buffers.Count(buffer => buffer.Free())), $"round {round}");
            Assert.Equal(500, freed);
            Budgets.CheckEmptyAndClose(budget);
        }
    }

    [Fact]
    public void Pile_DisposedBesideItsBuffers_EndsThemAndCorruptsNothing()
    {
        for (var round = 0; round < Rounds; round++)
        {
            var pile = Budgets.CreatePile(16 * Budgets.MiB);
            var heap = PileBuffer.HeapOf(pile);
            using var started = new Barrier(Threads);
            RunAll(
                thread =>
                {
                    started.SignalAndWait();
                    if (thread == 0)
                        pile.Dispose();
                    else
                        CreateAndFree(pile);
                },
                $"round {round}");
            Assert.Equal((0, 0), (heap.Count, heap.Bytes));
        }
    }

    private static void Storm(BufferBudget budget, ulong[] slots, Random random)
    {
        for (var step = 0; step < Steps; step++)
        {
            var slot = random.Next(slots.Length);
            if (random.Next(4) == 0)
                Replace(budget, ref slots[slot], random.Next(1, 6000));
            else
                Check(new PileBuffer<ulong>(Volatile.Read(ref slots[slot])));
        }
    }

    private static void Replace(BufferBudget budget, ref ulong slot, int length)
    {
        var buffer = PileBuffer.Create<ulong>(budget.Heap, length, BufferFill.Uninitialized);
        buffer.AsSpan().Fill(buffer.Handle);
        var old = new PileBuffer<ulong>(Interlocked.Exchange(ref slot, buffer.Handle));
        var spin = default(SpinWait);
        while (old.IsLive)
        {
            try
            {
                old.Free();
            }
            catch (PileBusyException)
            {
                spin.SpinOnce(sleep1Threshold: -1);
            }
        }
    }

    // A thread with a lease sees the content of this life, to the last element.
    private static void Check(PileBuffer<ulong> buffer)
    {
        try
        {
            buffer.Retain();
        }
        catch (InvalidPileBufferException)
        {
            return;
        }

        try
        {
            Assert.False(buffer.AsSpan().ContainsAnyExcept(buffer.Handle));
            using var pin = buffer.Pin();
            Assert.Throws<PileBusyException>(() => buffer.Free());
        }
        finally
        {
            buffer.Release();
        }
    }

    private static void CreateAndFree(LocalPile pile)
    {
        try
        {
            for (var i = 0; i < 1000; i++)
            {
                using var array = new SafeArray<long>((i % 50) * 300, BufferFill.Zeroed, pile);
                if (array.AsSpan().ContainsAnyExcept(0))
                    throw new InvalidDataException("A zeroed buffer is zero.");
            }
        }
        catch (ObjectDisposedException)
        {
            // The pile ended first.
        }
    }

    private static void RunAll(Action<int> work, string seed)
    {
        var failures = new Exception?[Threads];
        var threads = Enumerable.Range(0, Threads).Select(index => new Thread(() =>
        {
            try
            {
                work(index);
            }
            catch (Exception failure)
            {
                failures[index] = failure;
            }
        })).ToArray();
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        Assert.All(failures, failure => Assert.True(failure is null, $"{seed}: {failure}"));
    }
}
