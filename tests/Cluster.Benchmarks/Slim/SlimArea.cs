using Cluster.Benchmarks.Harness;
using Cluster.Slim;
using Cluster.Slim.Tests.Fuzzing;

namespace Cluster.Benchmarks.Slim;

/// <summary>The area <c>slim</c>: workloads A to J beside code written by hand; <see cref="RivalRows"/> has the other
/// serializers. Rows use the default options; those that end in <c>known</c> use <see cref="SlimSchema.Known"/>. One
/// call at a time; every round trip is checked before it is timed.</summary>
public sealed class SlimArea : IBenchmarkArea
{
    private readonly SlimSerializer _slim = new(new SlimOptions { Limits = { MaxGraphBytes = 1024L * 1024 * 1024 } });
    private readonly SlimSerializer _known = new(new SlimOptions { Schema = SlimSchema.Known });

    private readonly ArrayBufferWriter<byte> _output = new(1024 * 1024);
    private TimeSpan _budget;

    /// <inheritdoc />
    public string Name => "slim";

    /// <inheritdoc />
    public void Run(BenchmarkRun run)
    {
        _budget = run.Share();
        MeasureBytesAndAllocation(run);
        MeasureSmall(run);
        using (var rivals = new RivalRows(_slim))
            rivals.Run(run, _budget);
        MeasurePerson(run);
        MeasurePersons(run, "c", [.. Enumerable.Range(0, 100).Select(Person.Sample)]);
        var ten = Enumerable.Range(0, 10).Select(Person.Sample).ToArray();
        MeasurePersons(run, "d", [.. Enumerable.Range(0, 100).Select(i => ten[i % 10])]);
        MeasureFresh(run);
        MeasureTimes(run, "e", Mixed(), 1000);
        MeasureTimes(run, "f", TreeNode.Sample((int)run.Size("f.write")), 1000);
        MeasureTimes(run, "g", Boxes((int)run.Size("g.write")), 1000);
        MeasureTimes(
            run, "h1",
            Enumerable.Range(0, (int)run.Size("h1.write")).ToDictionary(i => i, i => "value " + i),
            1000);
        MeasureCopy(
            run, "h2",
            Enumerable.Range(0, (int)run.Size("h2.write")).ToArray(),
            static (a, b) => a.AsSpan().SequenceEqual(b));
        MeasureCopy(
            run, "h3",
            Enumerable.Range(0, (int)run.Size("h3.write")).Select(i => i * 0.5).ToArray(),
            static (a, b) => a.AsSpan().SequenceEqual(b));
        MeasureTimes(run, "h4", new string('a', (int)run.Size("h4.write")), 1000);
        MeasureTimes(run, "h5", new string('ж', (int)run.Size("h5.write")), 1000);
        MeasureTrades(run);
        MeasureFirst(run);
        MeasureWorst(run);
        MeasureChain(run);
    }

    // The fastest of a few reads of each message, read or refused: a busy machine makes nothing worse.
    private static void MeasureWorst(BenchmarkRun run)
    {
        if (!run.Wants("worst.byte"))
            return;
        var reader = HostileMessages.NewReader();
        var worst = 0.0;
        foreach (var (_, message) in HostileMessages.All())
        {
            var best = double.MaxValue;
            for (var round = 0; round < 5; round++)
                best = Math.Min(best, Timed(() => ReadOrRefuse(reader, message)).TotalNanoseconds);

            worst = Math.Max(worst, best / message.Length);
        }

        // Mutations of these are what the fuzzer judges by their time; here are the messages themselves.
        worst = Math.Max(worst, CorpusCost.FindWorst(out _));
        run.Report("worst.byte", worst);
    }

    private static void ReadOrRefuse(SlimSerializer reader, byte[] message)
    {
        try
        {
            reader.Deserialize<object>(message);
        }
        catch (SlimLimitException)
        {
            // What it took until then counts all the same.
        }
    }

    private void MeasureBytesAndAllocation(BenchmarkRun run)
    {
        run.Report("a.bytes", SessionBytes(SmallRequest.Sample()));
        run.Report("b.bytes", SessionBytes(Person.Sample(1)));
        var person = Person.Sample(1);
        for (var i = 0; i < 1000; i++)
            WriteSlim(person);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1000; i++)
            WriteSlim(person);

        run.Report("write.allocated", (GC.GetAllocatedBytesForCurrentThread() - before) / 1000.0);
    }

    private double SessionBytes<T>(T value)
    {
        using var session = _slim.OpenWriterSession();
        for (var i = 0; i < 2; i++)
        {
            _output.ResetWrittenCount();
            session.Serialize(_output, value);
            session.Commit();
        }

        return _output.WrittenCount;
    }

    private void MeasureSmall(BenchmarkRun run)
    {
        var request = SmallRequest.Sample();
        HandWriter hand = new();
        HandReader handReader = new();
        hand.Write(request);
        var handBytes = hand.Written.ToArray();
        Require(_slim.Deserialize<SmallRequest>(_slim.Serialize(request)).Sku == request.Sku);
        Require(handReader.ReadRequest(handBytes).Sku == request.Sku);
        var (bytes, knownBytes) = (_slim.Serialize(request), _known.Serialize(request));
        MeasureForms(
            run, "a.write",
            new("hand", n => Repeat(n, () => hand.Write(request))),
            new("slim", n => Repeat(n, () => Write(_slim, request))),
            new("known", n => Repeat(n, () => Write(_known, request))));
        MeasureForms(
            run, "a.read",
            new("hand", n => Repeat(n, () => handReader.ReadRequest(handBytes))),
            new("slim", n => Repeat(n, () => _slim.Deserialize<SmallRequest>(bytes))),
            new("known", n => Repeat(n, () => _known.Deserialize<SmallRequest>(knownBytes))));
    }

    private void MeasurePerson(BenchmarkRun run)
    {
        var person = Person.Sample(1);
        HandWriter hand = new();
        HandReader handReader = new();
        hand.Write(person);
        var handBytes = hand.Written.ToArray();
        Require(_slim.Deserialize<Person>(_slim.Serialize(person)).Home!.City == "Berlin");
        Require(handReader.ReadPerson(handBytes)!.Home!.City == "Berlin");
        var (bytes, knownBytes) = (_slim.Serialize(person), _known.Serialize(person));
        MeasureForms(
            run, "b.write",
            new("hand", n => Repeat(n, () => hand.Write(person))),
            new("slim", n => Repeat(n, () => Write(_slim, person))),
            new("known", n => Repeat(n, () => Write(_known, person))));
        MeasureForms(
            run, "b.read",
            new("hand", n => Repeat(n, () => handReader.ReadPerson(handBytes))),
            new("slim", n => Repeat(n, () => _slim.Deserialize<Person>(bytes))),
            new("known", n => Repeat(n, () => _known.Deserialize<Person>(knownBytes))));
    }

    private void MeasurePersons(BenchmarkRun run, string row, Person[] persons)
    {
        HandWriter hand = new();
        HandReader handReader = new();
        hand.Write(persons);
        var handBytes = hand.Written.ToArray();
        Require(_slim.Deserialize<Person[]>(_slim.Serialize(persons)).Distinct().Count() == persons.Distinct().Count());
        Require(handReader.ReadPersons(handBytes).Distinct().Count() == persons.Distinct().Count());
        var (bytes, knownBytes) = (_slim.Serialize(persons), _known.Serialize(persons));
        MeasureForms(
            run, row + ".write",
            new("hand", n => Repeat(n, () => hand.Write(persons))),
            new("slim", n => Repeat(n, () => Write(_slim, persons))),
            new("known", n => Repeat(n, () => Write(_known, persons))));
        MeasureForms(
            run, row + ".read",
            new("hand", n => Repeat(n, () => handReader.ReadPersons(handBytes))),
            new("slim", n => Repeat(n, () => _slim.Deserialize<Person[]>(bytes))),
            new("known", n => Repeat(n, () => _known.Deserialize<Person[]>(knownBytes))));
    }

    // Both forms of naming types and the code written by hand take turns in one race. Each is called as its users call
    // it: code that is generic over the type looks the type up in every call, and a rival written by hand is not
    // generic.
    private void MeasureForms(BenchmarkRun run, string row, Contender hand, Contender slim, Contender known)
    {
        if (!run.Wants(row, row + ".known"))
            return;
        var race = Race.Run(_budget * 2, slim, known, hand);
        run.Report(row, race.TimeRatio(slim.Name, hand.Name));
        run.Report(row + ".known", race.TimeRatio(known.Name, hand.Name));
    }

    // Objects that were never hashed cost more to track; each is written once.
    private void MeasureFresh(BenchmarkRun run)
    {
        if (!run.Wants("b.fresh.write"))
            return;
        const int Count = 20_000;
        ScaledRounds rounds = new();
        for (var round = 0; round < 15; round++)
        {
            var persons = Enumerable.Range(0, Count).Select(Person.Sample).ToArray();
            rounds.Add(() => Timed(() =>
            {
                foreach (var person in persons)
                    WriteSlim(person);
            }).TotalNanoseconds / Count);
        }

        run.Report("b.fresh.write", rounds);
    }

    private void MeasureTimes<T>(BenchmarkRun run, string row, T value, double nanosecondsPerUnit)
    {
        if (!run.Wants(row + ".write", row + ".read"))
            return;
        var bytes = _slim.Serialize(value);
        Require(_slim.Serialize(_slim.Deserialize<T>(bytes)).AsSpan().SequenceEqual(bytes));
        Settle();
        var race = Race.Run(
            _budget * 2,
            new Contender("write", n => Repeat(n, () => WriteSlim(value))),
            new Contender("read", n => Repeat(n, () => _slim.Deserialize<T>(bytes))));
        run.Report(row + ".write", race.Rounds("write", nanosecondsPerUnit));
        run.Report(row + ".read", race.Rounds("read", nanosecondsPerUnit));
    }

    // Makes the message old, as a pooled buffer is. A young one is pinned while it is read, which keeps it and all that
    // lies around it young, so that every collection of a round marks them anew: half of the time of h4.read.
    private static void Settle()
    {
        GC.Collect();
        GC.Collect();
    }

    private void MeasureCopy<T>(BenchmarkRun run, string row, T[] values, Func<T[], T[], bool> areEqual)
        where T : unmanaged
    {
        var bytes = _slim.Serialize(values);
        Require(areEqual(values, _slim.Deserialize<T[]>(bytes)));
        ReportRatio(
            run, row + ".write",
            new("slim", n => Repeat(n, () => WriteSlim(values))),
            new("copy", n => Repeat(n, () => CopyOut<T>(values))));
        ReportRatio(
            run, row + ".read",
            new("slim", n => Repeat(n, () => _slim.Deserialize<T[]>(bytes))),
            new("copy", n => Repeat(n, () => CopyIn<T>(bytes, values.Length))));
    }

    private void MeasureTrades(BenchmarkRun run)
    {
        var trades = Enumerable.Range(0, (int)run.Size("j.write")).Select(i => new Trade(i, i, i, i)).ToList();
        var bytes = _slim.Serialize(trades);
        Require(_slim.Deserialize<List<Trade>>(bytes).SequenceEqual(trades));
        ReportRatio(
            run, "j.write",
            new("slim", n => Repeat(n, () => WriteSlim(trades))),
            new("copy", n => Repeat(n, () => CopyOut<Trade>(CollectionsMarshal.AsSpan(trades)))));
        ReportRatio(
            run, "j.read",
            new("slim", n => Repeat(n, () => _slim.Deserialize<List<Trade>>(bytes))),
            new("copy", n => Repeat(n, () => CopyIn<Trade>(bytes, trades.Count))));
    }

    private void MeasureFirst(BenchmarkRun run)
    {
        if (!run.Wants("first.message"))
            return;
        var person = Person.Sample(1);
        ScaledRounds rounds = new();
        for (var round = 0; round < 25; round++)
            rounds.Add(() => Timed(() => new SlimSerializer().DeepClone(person)).TotalMilliseconds);

        run.Report("first.message", rounds);
    }

    private void MeasureChain(BenchmarkRun run)
    {
        if (!run.Wants("i.write", "i.read", "small.after.large"))
            return;
        var size = (int)run.Size("i.write");
        var request = SmallRequest.Sample();
        var before = Race.Run(_budget, new Contender("small", n => Repeat(n, () => WriteSlim(request))));
        var chain = ChainNode.Sample(size);
        var bytes = _slim.Serialize(chain);
        ScaledRounds writes = new(), reads = new();
        for (var round = 0; round < 9; round++)
        {
            // Every round begins with a settled heap and pays for all that it leaves to collect while it runs, but not
            // for what the round before has left.
            GC.Collect();
            writes.Add(() => Timed(() => WriteSlim(chain)).TotalMilliseconds);
            GC.Collect();
            reads.Add(() => Timed(() => Require(_slim.Deserialize<ChainNode>(bytes).Number == size - 1))
                .TotalMilliseconds);
        }

        run.Report("i.write", writes);
        run.Report("i.read", reads);
        var after = Race.Run(_budget, new Contender("small", n => Repeat(n, () => WriteSlim(request))));
        run.Report("small.after.large", after.Nanoseconds("small") / before.Nanoseconds("small"));
    }

    private static TimeSpan Timed(Action action)
    {
        var started = Stopwatch.GetTimestamp();
        action();
        return Stopwatch.GetElapsedTime(started);
    }

    private void ReportRatio(BenchmarkRun run, string row, Contender ours, Contender rival)
    {
        if (run.Wants(row))
            run.Report(row, Race.Run(_budget, ours, rival).TimeRatio(ours.Name, rival.Name));
    }

    private void WriteSlim<T>(T value) => Write(_slim, value);

    private void Write<T>(SlimSerializer serializer, T value)
    {
        _output.ResetWrittenCount();
        serializer.Serialize(_output, value);
    }

    private void CopyOut<T>(ReadOnlySpan<T> values)
        where T : unmanaged
    {
        _output.ResetWrittenCount();
        _output.Write(MemoryMarshal.AsBytes(values));
    }

    private static T[] CopyIn<T>(byte[] bytes, int count)
        where T : unmanaged =>
        MemoryMarshal.Cast<byte, T>(bytes.AsSpan(0, count * Unsafe.SizeOf<T>())).ToArray();

    private static Dictionary<string, object> Mixed() => Enumerable.Range(0, 20).ToDictionary(
        i => "key" + i,
        object (i) => (i % 5) switch
        {
            0 => i,
            1 => "text" + i,
            2 => i * 0.5,
            3 => new Guid(i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
            _ => new[] { "a", "b" },
        });

    private static object[] Boxes(int count) => [.. Enumerable.Range(0, count).Select(
        object (i) => (i % 4) switch { 0 => i, 1 => "text" + i, 2 => i * 0.5, _ => (long)i })];

    internal static void Repeat(int count, Action action)
    {
        for (var i = 0; i < count; i++)
            action();
    }

    internal static void Require(bool isRight)
    {
        if (!isRight)
            throw new InvalidOperationException("A round trip did not give what went in.");
    }
}
