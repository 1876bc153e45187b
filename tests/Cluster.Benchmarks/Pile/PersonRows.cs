using Cluster.Benchmarks.Harness;
using Cluster.Pile;

namespace Cluster.Benchmarks.Pile;

/// <summary>A managed object of 15 fields in and out of the pile.</summary>
internal static class PersonRows
{
    private const int Prepared = 1024;
    private const int GetCount = 300_000;
    private const int BatchGets = 100;
    private const long BytesPerPerson = 400;

    public static void Run(BenchmarkRun run)
    {
        var people = Person.CreateMany(Prepared);
        var count = (int)run.Size("person.put");
        using var pile = new LocalPile(new PileOptions
        {
            BudgetBytes = (count * BytesPerPerson) + (128L << 20),
            ReserveBytes = long.MaxValue / 2,
        });
        var pointers = new PilePointer[count];
        var put = Rounds.MedianSeconds(() =>
        {
            pile.Purge();
            return () =>
            {
                for (var i = 0; i < count; i++)
                    pointers[i] = pile.Put(people[i % Prepared]);
            };
        });
        run.Report("person.put", count / put[0] / 1e6);
        ReportGets(run, "person.get.hot", pile, pointers.AsSpan(0, (int)run.Size("person.get.hot")).ToArray());
        new Random(2).Shuffle(pointers);
        ReportGets(run, "person.get.cold", pile, pointers);
        ReportMany(run, pile, pointers);
    }

    // Single and many take turns over the same shuffled pointers, far more of them than any cache holds.
    private static void ReportMany(BenchmarkRun run, LocalPile pile, PilePointer[] pointers)
    {
        var (next, results) = (0, new Person[BatchGets]);
        var seconds = Rounds.MedianSeconds(
            () => () =>
            {
                for (var i = 0; i < GetCount; i += BatchGets)
                {
                    foreach (var pointer in NextBatch())
                        results[0] = pile.Get<Person>(pointer);
                }
            },
            () => () =>
            {
                for (var i = 0; i < GetCount; i += BatchGets)
                    pile.GetMany(NextBatch(), results.AsSpan());
            });
        run.Report("person.getmany.cold", seconds[0] / seconds[1]);

        ReadOnlySpan<PilePointer> NextBatch()
        {
            next = next + BatchGets > pointers.Length ? 0 : next;
            next += BatchGets;
            return pointers.AsSpan(next - BatchGets, BatchGets);
        }
    }

    private static void ReportGets(BenchmarkRun run, string row, LocalPile pile, PilePointer[] pointers)
    {
        var next = 0;
        var seconds = Rounds.MedianSeconds(() => () =>
        {
            for (var i = 0; i < GetCount; i++)
            {
                pile.Get<Person>(pointers[next]);
                next = next + 1 == pointers.Length ? 0 : next + 1;
            }
        });
        run.Report(row, GetCount / seconds[0] / 1e6);
    }
}
