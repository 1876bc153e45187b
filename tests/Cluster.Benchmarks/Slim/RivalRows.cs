using System.Text.Json;
using Cluster.Benchmarks.Harness;
using Cluster.Benchmarks.Slim.Messages;
using Cluster.Slim;
using Google.Protobuf;
using MemoryPack;
using MessagePack;

namespace Cluster.Benchmarks.Slim;

/// <summary>Ours beside the serializers that users know. Each carries the same values with what it keeps from call to
/// call made beforehand: writers, options, messages. Protobuf carries a message of its own, which is neither filled nor
/// read out.</summary>
/// <param name="slim">Ours, with the default options.</param>
internal sealed class RivalRows(SlimSerializer slim) : IDisposable
{
    private readonly ArrayBufferWriter<byte> _output = new(1024 * 1024);
    private readonly Utf8JsonWriter _json = new(Stream.Null);
    private TimeSpan _budget;

    public void Run(BenchmarkRun run, TimeSpan budget)
    {
        _budget = budget;
        RunSmall(run);
        RunPerson(run);
        RunPersons(run);
        RunReadings(run);
    }

    // The types stand in the calls themselves: through a generic method every side would look them up each time.
    private void RunSmall(BenchmarkRun run)
    {
        var request = SmallRequest.Sample();
        var message = MessageOf(request);
        var bytes = slim.Serialize(request);
        var json = JsonSerializer.SerializeToUtf8Bytes(request);
        var memoryPack = MemoryPackSerializer.Serialize(request);
        var messagePack = MessagePackSerializer.Serialize(request);
        var protobuf = message.ToByteArray();
        SlimArea.Require(JsonSerializer.Deserialize<SmallRequest>(json)!.Sku == request.Sku);
        SlimArea.Require(MemoryPackSerializer.Deserialize<SmallRequest>(memoryPack)!.Sku == request.Sku);
        SlimArea.Require(MessagePackSerializer.Deserialize<SmallRequest>(messagePack).Sku == request.Sku);
        SlimArea.Require(SmallRequestMessage.Parser.ParseFrom(protobuf).Sku == request.Sku);
        Race(
            run, "a.write",
            new("slim", Body(() => slim.Serialize(_output, request))),
            new("json", Body(() => WriteJson(request))),
            new("memorypack", Body(() => MemoryPackSerializer.Serialize(_output, request))),
            new("messagepack", Body(() => MessagePackSerializer.Serialize(_output, request))),
            new("protobuf", Body(() => message.WriteTo(_output))));
        Race(
            run, "a.read",
            new("slim", Body(() => slim.Deserialize<SmallRequest>(bytes))),
            new("json", Body(() => JsonSerializer.Deserialize<SmallRequest>(json))),
            new("memorypack", Body(() => MemoryPackSerializer.Deserialize<SmallRequest>(memoryPack))),
            new("messagepack", Body(() => MessagePackSerializer.Deserialize<SmallRequest>(messagePack))),
            new("protobuf", Body(() => SmallRequestMessage.Parser.ParseFrom(protobuf))));
    }

    public void Dispose() => _json.Dispose();

    private void RunPerson(BenchmarkRun run)
    {
        var person = Person.Sample(1);
        var bytes = slim.Serialize(person);
        var json = JsonSerializer.SerializeToUtf8Bytes(person);
        var memoryPack = MemoryPackSerializer.Serialize(person);
        var messagePack = MessagePackSerializer.Serialize(person);
        SlimArea.Require(JsonSerializer.Deserialize<Person>(json)!.Home!.City == person.Home!.City);
        SlimArea.Require(MemoryPackSerializer.Deserialize<Person>(memoryPack)!.Home!.City == person.Home.City);
        SlimArea.Require(MessagePackSerializer.Deserialize<Person>(messagePack).Home!.City == person.Home.City);
        Race(
            run, "b.write",
            new("slim", Body(() => slim.Serialize(_output, person))),
            new("json", Body(() => WriteJson(person))),
            new("memorypack", Body(() => MemoryPackSerializer.Serialize(_output, person))),
            new("messagepack", Body(() => MessagePackSerializer.Serialize(_output, person))));
        Race(
            run, "b.read",
            new("slim", Body(() => slim.Deserialize<Person>(bytes))),
            new("json", Body(() => JsonSerializer.Deserialize<Person>(json))),
            new("memorypack", Body(() => MemoryPackSerializer.Deserialize<Person>(memoryPack))),
            new("messagepack", Body(() => MessagePackSerializer.Deserialize<Person>(messagePack))));
    }

    private void RunPersons(BenchmarkRun run)
    {
        Person[] persons = [.. Enumerable.Range(0, 100).Select(Person.Sample)];
        var bytes = slim.Serialize(persons);
        var json = JsonSerializer.SerializeToUtf8Bytes(persons);
        var memoryPack = MemoryPackSerializer.Serialize(persons);
        var messagePack = MessagePackSerializer.Serialize(persons);
        SlimArea.Require(JsonSerializer.Deserialize<Person[]>(json)![99].Id == persons[99].Id);
        SlimArea.Require(MemoryPackSerializer.Deserialize<Person[]>(memoryPack)![99].Id == persons[99].Id);
        SlimArea.Require(MessagePackSerializer.Deserialize<Person[]>(messagePack)[99].Id == persons[99].Id);
        Race(
            run, "c.write",
            new("slim", Body(() => slim.Serialize(_output, persons))),
            new("json", Body(() => WriteJson(persons))),
            new("memorypack", Body(() => MemoryPackSerializer.Serialize(_output, persons))),
            new("messagepack", Body(() => MessagePackSerializer.Serialize(_output, persons))));
        Race(
            run, "c.read",
            new("slim", Body(() => slim.Deserialize<Person[]>(bytes))),
            new("json", Body(() => JsonSerializer.Deserialize<Person[]>(json))),
            new("memorypack", Body(() => MemoryPackSerializer.Deserialize<Person[]>(memoryPack))),
            new("messagepack", Body(() => MessagePackSerializer.Deserialize<Person[]>(messagePack))));
    }

    // A list so long that its output is not kept for the other rows.
    private void RunReadings(BenchmarkRun run)
    {
        if (!run.Wants("k.write.memorypack", "k.read.memorypack"))
            return;
        var readings = Enumerable.Range(0, (int)run.Size("k.write.memorypack")).Select(Reading.Sample).ToList();
        var bytes = slim.Serialize(readings);
        var memoryPack = MemoryPackSerializer.Serialize(readings);
        SlimArea.Require(MemoryPackSerializer.Deserialize<List<Reading>>(memoryPack)![^1].Ticks == readings[^1].Ticks);
        SlimArea.Require(slim.Deserialize<List<Reading>>(bytes)[^1].Ticks == readings[^1].Ticks);
        var output = new ArrayBufferWriter<byte>(2 * bytes.Length);
        Race(
            run, "k.write",
            new("slim", Body(output, () => slim.Serialize(output, readings))),
            new("memorypack", Body(output, () => MemoryPackSerializer.Serialize(output, readings))));
        Race(
            run, "k.read",
            new("slim", Body(output, () => slim.Deserialize<List<Reading>>(bytes))),
            new("memorypack", Body(output, () => MemoryPackSerializer.Deserialize<List<Reading>>(memoryPack))));
    }

    private void WriteJson<T>(T value)
    {
        _json.Reset(_output);
        JsonSerializer.Serialize(_json, value);
        _json.Flush();
    }

    private void Race(BenchmarkRun run, string row, params Contender[] contenders)
    {
        var rivals = contenders.Skip(1).Select(rival => rival.Name).ToArray();
        if (!run.Wants([.. rivals.Select(rival => $"{row}.{rival}")]))
            return;
        var race = Harness.Race.Run(_budget * contenders.Length / 2, contenders);
        foreach (var rival in rivals)
            run.Report($"{row}.{rival}", race.TimeRatio("slim", rival));
    }

    private Action<int> Body(Action once) => Body(_output, once);

    private static Action<int> Body(ArrayBufferWriter<byte> output, Action once) => count =>
    {
        for (var i = 0; i < count; i++)
        {
            output.ResetWrittenCount();
            once();
        }
    };

    private static SmallRequestMessage MessageOf(SmallRequest value) => new()
    {
        Id = ByteString.CopyFrom(value.Id.ToByteArray()), Customer = value.Customer, Quantity = value.Quantity,
        Created = value.Created.Ticks, Weight = value.Weight, IsExpress = value.IsExpress, Sku = value.Sku,
    };
}
