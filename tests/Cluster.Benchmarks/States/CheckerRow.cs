using Cluster.Benchmarks.Harness;
using Cluster.Testing.Linearizability;
using Cluster.Testing.Linearizability.Registers;

namespace Cluster.Benchmarks.States;

/// <summary>A linearizable history of 16 callers on 1,000 registers, of which one answer in 50 is unknown.</summary>
internal static class CheckerRow
{
    private const int Keys = 1_000;
    private const int Callers = 16;

    public static void Run(BenchmarkRun run)
    {
        var history = Make((int)run.Size("checker.200k"));
        LinearizabilityChecker.Check(Make(count: 10_000));
        var rounds = new ScaledRounds();
        for (var round = 0; round < 3; round++)
        {
            rounds.Add(() =>
            {
                var started = Stopwatch.GetTimestamp();
                var verdict = LinearizabilityChecker.Check(history);
                return verdict.IsLinearizable
                    ? Stopwatch.GetElapsedTime(started).TotalSeconds
                    : throw new InvalidOperationException($"The checker is wrong: {verdict}");
            });
        }

        run.Report("checker.200k", rounds);
    }

    private static RegisterHistory<int> Make(int count)
    {
        var (random, history, values) = (new Random(1), new RegisterHistory<int>(), new long?[Keys]);
        for (var number = 1; number <= count; number++)
        {
            var (key, moment) = (random.Next(Keys), 3L * number);
            var (began, ended) = (moment - random.Next(3 * Callers), moment + random.Next(3 * Callers));
            var isUnknown = random.Next(50) == 0;
            if (random.Next(2) == 0)
            {
                var read = isUnknown ? (RegisterResult?)null : RegisterResult.Of(values[key]);
                history.Add(key, RegisterOperation.Read(), read, began, ended);
                continue;
            }

            // Half of the unknown writes took effect.
            var written = RegisterResult.Of(values[key].HasValue);
            if (!isUnknown || random.Next(2) == 0)
                values[key] = number;
            history.Add(key, RegisterOperation.Write(number), isUnknown ? null : written, began, ended);
        }

        return history;
    }
}
